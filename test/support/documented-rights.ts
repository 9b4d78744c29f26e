import { readText } from './source-files.ts'

const text = readText('docs/existing-queues.md')

/** The parameters of `ACL` for a user that observes: `dashboard` with the password `secret`. */
export const OBSERVING_USER: readonly string[] = /ACL SETUSER [^`]*/.exec(text)![0].trim().split(/\s+/).slice(1)

/** The additional rights for managing. */
export const MANAGING_RIGHTS: readonly string[] = /^\+eval .*$/m.exec(text)![0].split(' ')
