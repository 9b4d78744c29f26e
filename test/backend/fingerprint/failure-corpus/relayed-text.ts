/** Variable parts as libraries, databases and people write them, from a seed. */
export function createRelayedText(seed: number) {
  let state = seed >>> 0

  // mulberry32
  function next(): number {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const one = <T>(items: readonly T[]): T => items[int(0, items.length - 1)] as T
  const chars = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  const two = (value: number): string => String(value).padStart(2, '0')

  const LOWER = 'abcdefghijklmnopqrstuvwxyz'
  const DIGITS = '0123456789'
  const BASE62 = LOWER + LOWER.toUpperCase() + DIGITS
  const PEOPLE = [
    'Ana Torres', 'Jörg Müller', 'Zoë O\'Neill', 'Li Wei', 'Fatima al-Zahra', 'Søren Kjær', 'Mary-Jane Watson', '山田 太郎', 'Ivan Petrov',
    'Chloé Dubois'
  ]
  const FOLDERS = ['inbox', 'exports', 'tmp', 'uploads', 'archive', 'spool', 'data', 'reports', 'cache', 'work']

  const text = {
    int, one, next,
    number: (): string => one([String(int(0, 9)), String(int(10, 99_999)), String(int(1_000_000, 999_999_999)), `-${int(1, 500)}`]),
    decimal: (): string => `${int(0, 9_999)}.${chars(DIGITS, int(1, 4))}`,
    grouped: (): string => `${int(1, 999)},${chars(DIGITS, 3)}`,
    id: (prefix: string, length = int(3, 5)): string => `${prefix}_${chars(next() < 0.5 ? LOWER : BASE62, length)}`,
    longId: (prefix: string): string => `${prefix}_${chars(BASE62, int(14, 24))}`,
    base36: (): string => chars(LOWER + DIGITS, int(8, 12)),
    base62: (): string => chars(BASE62, int(8, 22)),
    nanoid: (): string => chars(`${BASE62}_-`, 21),
    ulid: (): string => `01${chars('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
    hex: (length: number): string => chars('0123456789abcdef', length),
    uuid: (): string => [8, 4, 4, 4, 12].map(length => chars('0123456789abcdef', length)).join('-'),
    base64: (length: number): string => `${chars(`${BASE62}+/`, length)}==`,
    jwt: (): string => `eyJhbGciOiJIUzI1NiJ9.eyJ${chars(`${BASE62}_-`, int(40, 80))}.${chars(`${BASE62}_-`, 43)}`,
    email: (): string =>
      `${one(['ana', 'jo.smith', 'b+news', 'k_lee', 'm-l', 'x'])}${int(0, 1) ? int(1, 999) : ''}@${one(
        ['example.com', 'mail.example.org', 'firma-gmbh.de', 'correo.example.es', 'ex-ample.co.jp']
      )}`,
    phone: (): string =>
      one([
        `+49 1${chars(DIGITS, 2)} ${chars(DIGITS, 7)}`, `+1 (${chars(DIGITS, 3)}) ${chars(DIGITS, 3)}-${chars(DIGITS, 4)}`,
        `0${int(1, 9)} ${chars(DIGITS, 2)} ${chars(DIGITS, 2)} ${chars(DIGITS, 2)} ${chars(DIGITS, 2)}`, `+44${chars(DIGITS, 10)}`
      ]),
    ip: (): string => `${int(1, 254)}.${int(0, 255)}.${int(0, 255)}.${int(1, 254)}`,
    ip6: (): string =>
      one([
        `2001:db8:${chars('0123456789abcdef', 4)}::${chars('0123456789abcdef', int(1, 4))}`,
        `fe80::${chars('0123456789abcdef', 4)}:${chars('0123456789abcdef', 4)}`, `::ffff:${text.ip()}`
      ]),
    port: (): string => String(int(1_024, 65_535)),
    path: (extension: string): string =>
      `/${Array.from({ length: int(1, 4) }, () => one(FOLDERS)).join('/')}/${one([
        chars(LOWER + DIGITS, 9), `report-${int(1, 9_999)}`, `Rechnung ${int(1, 99)}`, text.uuid()
      ])}.${extension}`,
    windowsPath: (extension: string): string =>
      `C:\\Users\\${one(['ana', 'svc-mail', 'Jörg', 'Administrator'])}\\${one(FOLDERS)}\\${chars(LOWER + DIGITS, 7)}.${extension}`,
    query: (): string =>
      `?${Array.from({ length: int(1, 3) }, () =>
        `${one(['page', 'cursor', 'since', 'q', 'sig'])}=${one([String(int(1, 900)), chars(BASE62, 12), 'a%20b'])}`).join('&')}`,
    person: (): string => one(PEOPLE),
    duration: (): string =>
      one([`${int(1, 999)} ms`, `${int(1, 999)}ms`, `${int(1, 59)}.${int(0, 9)} s`, `${int(1, 59)}s`, `${int(1, 9)}m ${int(1, 59)}s`]),
    size: (): string =>
      one([
        `${int(1, 1_023)} B`, `${int(1, 999)}.${int(0, 9)} KB`, `${int(1, 999)} MiB`, `${int(1, 9)}.${int(10, 99)} GB`, `${int(1, 999)}kB`
      ]),
    money: (): string =>
      one([
        `${int(1, 9_999)}.${chars(DIGITS, 2)} EUR`, `$${int(1, 999)}.${chars(DIGITS, 2)}`, `€${int(1, 999)}`,
        `${int(1, 9)},${chars(DIGITS, 3)}.${chars(DIGITS, 2)} USD`
      ]),
    day: (): string => `20${int(20, 29)}-${two(int(1, 12))}-${two(int(1, 28))}`,
    time: (): string => `${two(int(0, 23))}:${two(int(0, 59))}:${two(int(0, 59))}`,
    iso: (): string =>
      `${text.day()}T${text.time()}${one(['', `.${chars(DIGITS, 3)}`, `.${chars(DIGITS, 6)}`])}${one(['Z', '+00:00', '-05:00', '+0530'])}`,
    sqlTime: (): string => `${text.day()} ${text.time()}${one(['', `.${chars(DIGITS, 6)}`])}${one(['', '+00', '+02'])}`,
    mailTime: (): string =>
      `${one(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])}, ${two(int(1, 28))} ` +
        `${one(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])} 20${int(20, 29)} ${text.time()} ` +
        `${one(['GMT', '+0000', '+0200'])}`,
    longDay: (): string =>
      one([
        `${one(['January', 'March', 'May', 'August', 'December'])} ${int(1, 28)}, 20${int(20, 29)}`,
        `${int(1, 28)} ${one(['Feb', 'June', 'Sep', 'October'])} 20${int(20, 29)}`, `${int(1, 12)}/${int(1, 28)}/20${int(20, 29)}`
      ]),
    germanDay: (): string =>
      one([`${int(1, 28)}.${int(1, 12)}.20${int(20, 29)}`, `${two(int(1, 28))}.${two(int(1, 12))}.20${int(20, 29)}`]),
    japaneseDay: (): string => `20${int(20, 29)}年${int(1, 12)}月${int(1, 28)}日`,
    epoch: (): string => one([String(int(1_600_000_000, 1_900_000_000)), `${int(1_600_000_000, 1_900_000_000)}${chars(DIGITS, 3)}`]),
    list: (item: () => string, separator = ', '): string => Array.from({ length: int(1, 6) }, item).join(separator),
    json: (): string =>
      one([
        `{"id":"${chars(BASE62, 10)}","amount":${int(1, 9_999)}}`, `{"id":"${text.uuid()}","amount":${int(1, 99)}.5}`,
        `{"id":"${chars(LOWER, 4)}","amount":null}`
      ])
  }
  return text
}

export type RelayedText = ReturnType<typeof createRelayedText>
