/** A field of an INFO response, or undefined. */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}

/**
 * Stands in for the response of a server that refuses INFO. The version is new enough, as `preflight.ts` verifies by the commands it knows.
 * Everything else is unknown.
 */
export const INFO_REFUSED = 'info_refused:1\r\nredis_version:6.2.0\r\n'
