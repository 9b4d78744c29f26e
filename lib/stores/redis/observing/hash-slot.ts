const SLOTS = 16_384

/** The part of a key that decides which node of a cluster has it: the text in its first braces, or the whole key. */
export function hashTagOf(key: string): string {
  return /^[^{]*\{([^}]+)\}/s.exec(key)?.[1] ?? key
}

/** https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model */
export function hashSlotOf(key: string): number {
  let crc = 0
  for (const byte of Buffer.from(hashTagOf(key))) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc % SLOTS
}
