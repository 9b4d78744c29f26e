/**
 * A key that nothing ever writes. While a cluster moves our slot, some keys are on one node and some on the other. A script that touches a
 * key without declaring it would then see it as missing, or create it a second time. A script that declares this key and another one is
 * refused instead (TRYAGAIN) until all keys are on one node, before it does anything.
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#multi-keys-operations
 */
export function absentKey(keyPrefix: string): string {
  return `${keyPrefix}:~absent`
}
