import type { LightMyRequestResponse } from 'fastify'
import type { Person } from './access.ts'

export interface Write {
  /** Below `/api`. */
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** What an action comes to: the answer, and how its object is read afterwards. */
export interface Done { readonly answer: object; readonly after: object }

/** `done`, or the code of the refusal. */
export type Outcome = Done | string
/** For some people another one. */
export type Expected = Outcome | Readonly<Partial<Record<Person, Outcome>> & { all: Outcome }>

/** @param after default: as in the answer */
export const done = (answer: object, after: object = answer): Done => ({ answer, after })

export function isDone(outcome: Outcome): outcome is Done {
  return typeof outcome !== 'string'
}

/** Something that actions are done to, in each of its states. */
export interface Noun {
  /** Brings one into a state, and returns its id. */
  readonly enter: Readonly<Record<string, () => Promise<string>>>
  /** What a refused write must not change. */
  standing(id: string): Promise<unknown>
  /** By method and path of the route. */
  readonly writes: Readonly<Record<string, (id: string, state: string) => Write>>
  readonly expected: Readonly<Record<string, Readonly<Record<string, Expected>>>>
  /** The words for a state in refusals that name it. */
  readonly words?: Readonly<Record<string, RegExp>>
  /** Its states have something in common: one after the other. */
  readonly isShared?: boolean
  /** Called after something was done to this one. */
  afterwards?(id: string): Promise<unknown>
}

/** What nouns use. */
export interface Deputy {
  /** As somebody who may do everything, without a mark in the audit log that the test looks for. */
  read<Body>(path: string): Promise<Body>
  write(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<LightMyRequestResponse>
}
