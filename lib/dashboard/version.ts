/** Of this package, as package.json has it: that file is not beside the code where the code is bundled. */
export const VERSION = '0.1.0'

/** The Fastify that the plugin runs on, as `peerDependencies` has it: 5.3 is the first with `getDecorator`. */
export const FASTIFY_RANGE = '^5.3.0'
