import type { RandomText } from './random-text.ts'

export interface Cause {
  readonly type: string
  readonly message: (random: RandomText) => string
  readonly stack?: (random: RandomText) => string
}

const error = (message: Cause['message'], type = 'Error'): Cause => ({ type, message })

/** The causes that the rules were written against. */
export const KNOWN_CAUSES: readonly Cause[] = [
  error(r => `request req_${r.base36(r.int(3, 8))} was rejected`),
  error(r => `request req_${r.base36(r.int(3, 8))} timed out after ${r.duration()}`),
  error(r => `No such customer: cus_${r.base62(14)}`, 'StripeInvalidRequestError'),
  error(r => `No such payment_intent: pi_${r.base62(24)}`, 'StripeInvalidRequestError'),
  error(r => `Order ${r.base36(6)} is already shipped`),
  error(r => `Order ${r.base36(6)} is already cancelled`),
  error(r => `Order ORD-${r.base36(5).toUpperCase()} not found`),
  error(r => `Invoice INV-${r.int(2020, 2027)}-${r.digits(5)} not found`),
  error(r => `connect ECONNREFUSED ${r.ipv4()}:${r.int(1024, 65535)}`),
  error(r => `connect ECONNREFUSED ${r.pick(['::1', r.ipv6()])}:${r.int(1024, 65535)}`, 'AggregateError'),
  error(r => `connect ETIMEDOUT ${r.ipv4()}:${r.int(1024, 65535)}`),
  error(r => `getaddrinfo ENOTFOUND ${r.host()}`),
  error(r => `getaddrinfo EAI_AGAIN ${r.host()}`),
  error(() => 'read ECONNRESET'),
  error(() => 'write EPIPE'),
  error(() => 'socket hang up'),
  error(r => `ENOENT: no such file or directory, open '${r.path()}'`),
  error(r => `ENOENT: no such file or directory, rename '${r.path()}' -> '${r.path()}'`),
  error(r => `EACCES: permission denied, open '${r.pick([r.path(), r.windowsPath()])}'`),
  error(r => `cannot read ${r.path()}: file is empty`),
  error(r => `duplicate key value violates unique constraint "users_email_key"${r.pick([''])}`, 'DatabaseError'),
  error(() => 'duplicate key value violates unique constraint "orders_pkey"', 'DatabaseError'),
  error(() => 'null value in column "price" of relation "items" violates not-null constraint', 'DatabaseError'),
  error(() => 'null value in column "owner_id" of relation "items" violates not-null constraint', 'DatabaseError'),
  error(r => `invalid input syntax for type integer: "${r.pick([r.name(), r.base36(5), ''])}"`, 'DatabaseError'),
  error(r => `invalid input syntax for type uuid: "${r.base36(12)}"`, 'DatabaseError'),
  error(() => 'relation "sessions" does not exist', 'DatabaseError'),
  error(r => `canceling statement due to statement timeout after ${r.duration()}`, 'DatabaseError'),
  error(
    r => `Process ${r.digits(5)} waits for ShareLock on transaction ${r.digits(7)}; blocked by process ${r.digits(5)}.`, 'DatabaseError'
  ),
  error(r => `WRONGTYPE Operation against a key holding the wrong kind of value, key: cart:${r.uuid()}`, 'ReplyError'),
  error(r => `MOVED ${r.int(0, 16383)} ${r.ipv4()}:${r.int(7000, 7010)}`, 'ReplyError'),
  error(r => `OOM command not allowed when used memory > 'maxmemory' (${r.bytes()}).`, 'ReplyError'),
  error(r => `Request failed with status code ${r.pick([502])} for ${r.url()}`, 'AxiosError'),
  error(r => `timeout of ${r.int(500, 60000)}ms exceeded`, 'AxiosError'),
  error(r => `maxContentLength size of ${r.int(1000, 900000)} exceeded`, 'AxiosError'),
  error(r => `Cannot read properties of undefined (reading '${r.pick(['id'])}')`, 'TypeError'),
  error(r => `${r.pick(['user', 'order'])}.items is not iterable`.replace('user', 'order'), 'TypeError'),
  error(r => `Unexpected token '${r.pick(['<', 'I', '}'])}', "${r.base36(9)}"... is not valid JSON`, 'SyntaxError'),
  error(
    r =>
      JSON.stringify(
        [
          { code: 'invalid_type', expected: 'string', received: 'undefined', path: ['user', 'email'], message: 'Required', ...r.pick([{}]) }
        ],
        null, 2
      ),
    'ZodError'
  ),
  error(
    r =>
      JSON.stringify(
        [
          {
            code: 'too_small', minimum: r.pick([1]), type: 'number', inclusive: true, path: ['lines', r.int(0, 30), 'quantity'],
            message: 'Number must be greater than or equal to 1'
          }
        ],
        null, 2
      ),
    'ZodError'
  ),
  error(() => '"email" is required', 'ValidationError'),
  error(() => '"zip" is required', 'ValidationError'),
  error(r => `Mail to ${r.email()} bounced: mailbox full`),
  error(r => `Mail to ${r.email()} bounced: user unknown`),
  error(r => `Benutzer ${r.digits(5)} wurde nicht gefunden`),
  error(r => `Die Zahlung über ${r.amount()} € für Bestellung ord_${r.base36(4)} wurde abgelehnt`),
  error(r => `Zeitüberschreitung nach ${r.int(2, 90)} Sekunden beim Abruf von ${r.url()}`),
  error(r => `Datei „${r.name()}-${r.int(1, 99)}.pdf“ ist beschädigt`),
  error(r => `Impossible de trouver l'utilisateur ${r.uuid()}`),
  error(r =>
    `La commande n° ${r.digits(6)} du ${r.int(1, 28)} ${r.pick(['janvier', 'mars', 'août', 'novembre'])} ` +
      `${r.int(2024, 2027)} est déjà payée`),
  error(r => `Le fichier « ${r.name()}.csv » dépasse ${r.bytes()}`),
  error(r => `注文 ${r.digits(6)} が見つかりません`),
  error(r => `ユーザー「${r.name()}」のセッション sess_${r.base36(8)} は期限切れです`),
  error(r => `Пользователь ${r.email()} не найден`),
  error(r => `Заказ №${r.digits(6)} от ${r.int(1, 28)} ${r.pick(['января', 'марта', 'ноября'])} ${r.int(2024, 2027)} отменён`),
  error(r => `Превышено время ожидания: ${r.int(2, 90)} с`),
  error(r => `Token ${r.pick(['eyJhbGciOiJIUzI1NiJ9'])}.${r.base62(30)}.${r.base62(43)} expired`, 'TokenExpiredError'),
  error(r => `checksum mismatch: expected ${r.hex(64)}, got ${r.hex(64)}`),
  error(r => `integrity check failed for sha512-${r.base64(64)}`),
  error(r => `upload ${r.ulid()} was aborted at ${r.bytes()}`),
  error(r => `document ${r.objectId()} has version ${r.int(2, 90)}, expected ${r.int(2, 90)}`, 'VersionError'),
  error(r => `lock for resource:${r.uuid()} could not be acquired within ${r.duration()}`),
  error(r => `worker-${r.hex(9)}-${r.base36(5).replace(/[aeiou01]/g, 'x')} was evicted`),
  error(r => `certificate of ${r.host()} expired at ${r.iso()}`),
  error(r => `rate limit exceeded, retry at ${r.iso()}`),
  error(r => `Insufficient funds: balance is ${r.amount()} EUR, needed ${r.amount()} EUR`),
  error(r => `Commit ${r.hex(7)} has no build`)
]
