import type { FastifyRequest } from 'fastify'
import type { Action } from '../actions.ts'

/** What the request names. Empty for lists. */
export interface AccessResource {
  /** The task that the request names. For a write to an execution, schedule or failure group, also the task of that resource. */
  readonly taskName?: string
  /** As in the path: the name of a queue, or of its task. */
  readonly queue?: string
  readonly scheduleId?: string
  readonly executionId?: string
  /** The group that is resolved or reopened. It can span tasks. */
  readonly errorGroup?: string
  /** The bulk operation. */
  readonly operationId?: string
}

/**
 * Allows (`true`) or denies an action. Any other value denies it. If it throws, or takes more than 5 seconds, access is denied with 500
 * AUTHORIZE_FAILED. A thrown error with a `statusCode` of 4xx sets the status instead.
 */
export type Authorize = (request: FastifyRequest, action: Action, resource: AccessResource) => boolean | Promise<boolean>

/** Whether a request may see a task. */
export type SeesTask = (taskName: string) => boolean

/**
 * Returns which tasks a request may see: null for all of them, or a predicate on task names. Whatever belongs to another task does not
 * exist for this request. A task is hidden if the predicate throws or returns anything but `true`. If `scope` throws, takes more than 5
 * seconds or returns anything else, the response is 500 SCOPE_FAILED. A thrown error with a `statusCode` of 4xx sets the status instead.
 */
export type Scope = (request: FastifyRequest) => SeesTask | null | Promise<SeesTask | null>

/** A user of the host: a name, or a stable id and a name to show. Each has 1 to 200 printable characters. */
export type User = string | { readonly id: string; readonly name?: string | null }

/**
 * Returns the signed-in user, or null if there is none. It grants no access: `auth`, `authorize` or the host do that. If it throws, takes
 * more than 5 seconds or returns anything else, writes are refused with 500 IDENTIFY_FAILED. A thrown error with a `statusCode` of 4xx sets
 * the status instead.
 */
export type Identify = (request: FastifyRequest) => User | null | undefined | Promise<User | null | undefined>
