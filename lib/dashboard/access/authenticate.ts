import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import basicAuth from '@fastify/basic-auth'
import { createTaskDashboardError } from '../../errors.ts'
import type { Authenticate } from './access-hook.ts'
import type { ResolvedOptions } from '../options.ts'

/** HTTP basic authentication for the access hook; null if it is not configured. */
export async function createAuthenticate(app: FastifyInstance, auth: ResolvedOptions['auth']): Promise<Authenticate | null> {
  if (!auth) return null
  const username = digestOf(auth.username)
  const password = digestOf(auth.password)

  await app.register(basicAuth, {
    authenticate: { realm: auth.realm },
    async validate(givenUsername, givenPassword) {
      // Compares both, and as digests of equal length, so that timing reveals nothing.
      const isUser = timingSafeEqual(digestOf(givenUsername), username)
      const isPassword = timingSafeEqual(digestOf(givenPassword), password)
      if (!(Number(isUser) & Number(isPassword))) throw createTaskDashboardError('UNAUTHENTICATED')
    }
  })

  const check = app.basicAuth
  return (request, reply) => new Promise((resolve, reject) => {
    check.call(app, request, reply, error => error ? reject(createTaskDashboardError('UNAUTHENTICATED')) : resolve())
  })
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
