/** The oldest version of Redis that works. */
export const OLDEST = '6.2'

/** The oldest one whose existing queues can be read, which takes LPOS. */
export const OLDEST_OBSERVED = '6.0.6'

/** A field of an INFO response, or undefined. */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}

/**
 * Stands in for the response of a server that refuses INFO. The version is new enough, as `check-rights.ts` verifies by the commands of
 * `needed-commands.ts`. Everything else is unknown.
 */
export const INFO_REFUSED = `info_refused:1\r\nredis_version:${OLDEST}.0\r\n`
