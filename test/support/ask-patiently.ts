import type { FastifyInstance, InjectOptions } from 'fastify'

const MAX_LATE = 5

/** Repeats a request that got a 503, up to five times in all: a busy machine misses a deadline now and then, a defect misses all. */
export function askPatiently(app: FastifyInstance) {
  let late = 0
  return async (request: InjectOptions) => {
    const answer = await app.inject(request)
    return answer.statusCode === 503 && ++late <= MAX_LATE ? await app.inject(request) : answer
  }
}
