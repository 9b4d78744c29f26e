/** The package's version, as in package.json, which is not next to the code in a bundle. */
export const VERSION = '0.1.0'

/** The supported Fastify versions, as in `peerDependencies`: 5.3 is the first with `getDecorator`. */
export const FASTIFY_RANGE = '^5.3.0'
