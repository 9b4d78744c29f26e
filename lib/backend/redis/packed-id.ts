import { fromStorable, toStorable } from '../storable-text.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** No storable text begins with it. In front of the 16 bytes of a UUID, which makes 17 of 36 in each place that has the id. */
const UUID_MARK = 0

/**
 * An execution id as hash field and member of sorted sets. Executions that finished in the same millisecond are listed in
 * the order of these bytes.
 */
export function packId(executionId: string): Buffer {
  if (!UUID.test(executionId)) return Buffer.from(toStorable(executionId))
  const packed = Buffer.alloc(17, UUID_MARK)
  packed.write(executionId.replaceAll('-', ''), 1, 'hex')
  return packed
}

export function unpackId(packed: Buffer): string {
  if (packed[0] !== UUID_MARK) return fromStorable(packed.toString())
  const hex = packed.toString('hex', 1)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
