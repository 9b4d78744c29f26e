/** The supported Fastify versions, as in `peerDependencies`: 5.3 is the first with `getDecorator`. */
export const FASTIFY_RANGE = '^5.3.0'
