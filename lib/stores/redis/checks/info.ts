/** A field of what INFO answers, or undefined. */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}

/**
 * In place of the answer of a server that keeps INFO to itself: new enough, as `preflight.ts` proves by the commands it knows; the rest is
 * not known.
 */
export const INFO_REFUSED = 'info_refused:1\r\nredis_version:6.2.0\r\n'
