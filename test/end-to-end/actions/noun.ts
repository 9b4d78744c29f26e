import type { LightMyRequestResponse } from 'fastify'
import type { Person } from './access.ts'

export interface Write {
  /** Below `/api`. */
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** A successful outcome: the response, and the resource as it is read afterwards. */
export interface Done { readonly answer: object; readonly after: object }

/** The successful outcome, or the code of the refusal. */
export type Outcome = Done | string
/** One outcome for everybody, or different ones for some people. */
export type Expected = Outcome | Readonly<Partial<Record<Person, Outcome>> & { all: Outcome }>

/** @param after default: the same as in the response */
export const done = (answer: object, after: object = answer): Done => ({ answer, after })

export function isDone(outcome: Outcome): outcome is Done {
  return typeof outcome !== 'string'
}

/** A kind of resource that actions are performed on, with all its states. */
export interface Noun {
  /** By state: brings a resource into it, and returns its id. */
  readonly enter: Readonly<Record<string, () => Promise<string>>>
  /** The properties that a refused write must not change. */
  standing(id: string): Promise<unknown>
  /** By method and path of the route. */
  readonly writes: Readonly<Record<string, (id: string, state: string) => Write>>
  readonly expected: Readonly<Record<string, Readonly<Record<string, Expected>>>>
  /** The words for a state in refusals that name it. */
  readonly words?: Readonly<Record<string, RegExp>>
  /** The states share a resource, so they are tested one after the other. */
  readonly isShared?: boolean
  /** Called after the actions on this resource. */
  afterwards?(id: string): Promise<unknown>
}

/** Requests that nouns make. */
export interface Deputy {
  /** Made by a user who may do everything. The test does not look for these requests in the audit log. */
  read<Body>(path: string): Promise<Body>
  write(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<LightMyRequestResponse>
}
