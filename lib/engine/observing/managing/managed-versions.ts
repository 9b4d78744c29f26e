/** Major versions of BullMQ whose queues can be changed, by the kind of server. */
export const MANAGED_MAJORS = { redis: [5, 6], postgres: [6] } as const

/** The version that the owner's last `Queue` stored begins with this, and then the major version. */
export const VERSION_PREFIX = 'bullmq:'

/**
 * The major version in the version that an owner stored; null if it is none of `MANAGED_MAJORS`.
 * @param version as it is stored; undefined or null if nothing is
 */
export function majorOf(version: string | null | undefined, kind: keyof typeof MANAGED_MAJORS): number | null {
  return MANAGED_MAJORS[kind].find(major => version?.startsWith(`${VERSION_PREFIX}${major}.`)) ?? null
}

/** @param version as it is stored; undefined or null if nothing is */
export function isManagedVersion(version: string | null | undefined, kind: keyof typeof MANAGED_MAJORS): boolean {
  return majorOf(version, kind) !== null
}
