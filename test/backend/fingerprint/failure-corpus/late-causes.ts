import type { RelayedCause } from './relayed-causes.ts'

/** Written after the rules were finished, to measure them on messages they were not written for. */
export const LATE_CAUSES: readonly RelayedCause[] = [
  ['Error', r => `Parcel ${r.base36().toUpperCase()} left depot at ${r.mailTime()} but was never scanned in`],
  ['Error', r => `Parcel ${r.base36().toUpperCase()} left depot at ${r.mailTime()} but was never scanned out`],
  ['Error', r => `ORA-00942: table or view does not exist (session ${r.int(1, 9_999)}, serial ${r.int(1, 99_999)})`],
  ['Error', r => `ORA-01017: invalid username/password; logon denied (session ${r.int(1, 9_999)}, serial ${r.int(1, 99_999)})`],
  [
    'Error',
    r =>
      `SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '${r.int(1, 99_999)}-${r.email()}' for ` +
        `key 'subscribers.list_email'`
  ],
  [
    'Error',
    r =>
      `SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '${r.int(1, 99_999)}-${r.email()}' ` +
        `for key 'members.list_email'`
  ],
  ['ResponseError', r => `index_not_found_exception: no such index [products-${r.day().replaceAll('-', '.')}], node ${r.nanoid()}`],
  ['TimeoutError', r =>
    `page.goto: Timeout ${r.int(1_000, 60_000)}ms exceeded. navigating to ` +
      `"https://shop.example/p/${r.base36()}${r.query()}", waiting until "load"`],
  ['TimeoutError', r => `page.click: Timeout ${r.int(1_000, 60_000)}ms exceeded. waiting for locator('#buy-now') in frame ${r.hex(32)}`],
  ['ZodError', r => `Invalid input at "lines.${r.int(0, 40)}.vat": expected number, received string`],
  ['ZodError', r => `Invalid input at "lines.${r.int(0, 40)}.net": expected number, received string`],
  ['Error', r => `Die Lieferung ${r.id('lfg', 6)} an „${r.person()}“ konnte am ${r.germanDay()} nicht zugestellt werden`],
  [
    'Error',
    r =>
      `Le virement ${r.longId('vir')} de ${r.int(1, 999)} ${r.int(100, 999)},${r.int(10, 99)} € vers ` +
        `FR76${r.int(10_000_000, 99_999_999)} a échoué`
  ],
  ['Error', r => `El archivo "${r.windowsPath('xlsx')}" pesa ${r.size()} y supera el máximo de ${r.size()}`],
  ['Error', r => `S3 upload to s3://backups-eu/${r.day()}/${r.uuid()}.tar.gz failed: SlowDown (attempt ${r.int(1, 9)})`],
  ['Error', r => `S3 upload to s3://backups-us/${r.day()}/${r.uuid()}.tar.gz failed: SlowDown (attempt ${r.int(1, 9)})`],
  [
    'GaxiosError',
    r =>
      `Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of consumer ` +
        `'project_number:${r.int(100_000_000_000, 999_999_999_999)}'`
  ],
  ['FetchError', r =>
    `request to https://geo.example.org/v1/lookup?ip=${r.ip()}&key=${r.base62()} failed, reason: certificate ` +
      `has expired on ${r.longDay()}`],
  // Written after the results for the causes above were known
  ['Error', r => `Kontonummer ${r.int(1_000_000, 99_999_999)} gehört nicht zu „${r.person()}“`],
  [
    'ResponseError',
    r => `[${r.id('trc', 8)}] upstream sent status=502 after ${r.duration()} from 10.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`
  ],
  [
    'ResponseError',
    r => `[${r.id('trc', 8)}] upstream sent status=504 after ${r.duration()} from 10.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`
  ],
  ['Error', r => `cannot lock file ${r.path('lock')}: held by pid ${r.int(1, 99_999)} since ${r.sqlTime()}`],
  ['Error', r => `exit code 137: container ${r.hex(12)} used ${r.size()}`],
  ['Error', r => `exit code 139: container ${r.hex(12)} used ${r.size()}`],
  [
    'Error',
    r =>
      `El cliente con correo ${r.email()} ya existe desde el ${r.int(1, 28)} de ${r.one(['enero', 'mayo', 'agosto'])} de 20${r.int(10, 29)}`
  ],
  ['Error', r => `Le produit ${r.base62()} n'existe plus dans l'entrepôt ${r.int(1, 40)}`],
  ['Error', r => `会員ID ${r.ulid()} の支払い${r.int(100, 99_999)}円に失敗しました`],
  ['GraphQLError', r => `Variable "$input" got invalid value ${r.json()}; Field "customerId" of required type "ID!" was not provided.`],
  ['GraphQLError', r => `Variable "$input" got invalid value ${r.json()}; Field "currency" of required type "ID!" was not provided.`],
  ['Error', r => `Template "${r.one(['welcome'])}" rendered for user ${r.base36()} misses ${r.list(() => r.email())}`]
]
