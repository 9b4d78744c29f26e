import { seededRandom } from '../../../support/seeded-random.ts'

/** The variable parts of error messages. Equal seeds give equal texts. */
export interface RandomText {
  readonly digits: (length: number) => string
  readonly int: (min: number, max: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  readonly base36: (length: number) => string
  readonly base62: (length: number) => string
  readonly hex: (length: number) => string
  readonly base64: (bytes: number) => string
  readonly uuid: () => string
  readonly ulid: () => string
  readonly objectId: () => string
  readonly email: () => string
  readonly name: () => string
  readonly host: () => string
  readonly ipv4: () => string
  readonly ipv6: () => string
  readonly url: () => string
  readonly path: () => string
  readonly windowsPath: () => string
  readonly iso: () => string
  readonly amount: () => string
  readonly duration: () => string
  readonly bytes: () => string
}

const NAMES = [
  'ann', 'bob', 'carla', 'dmitri', 'eve', 'farid', 'grete', 'hiro', 'ines', 'jack', 'kim', 'lena', 'maria', 'nils', 'olga', 'paul',
  'quentin', 'rosa', 'sven', 'tariq', 'uma', 'vera', 'wei', 'yuki', 'zoe'
]

export function createRandomText(seed: number): RandomText {
  const random = seededRandom(seed)
  const int = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1))
  const pick = <Item>(items: readonly Item[]): Item => items[int(0, items.length - 1)]!
  const of = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  const hex = (length: number): string => of('0123456789abcdef', length)
  const two = (value: number): string => String(value).padStart(2, '0')
  const base36 = (length: number): string => of('0123456789abcdefghijklmnopqrstuvwxyz', length)
  const name = (): string => pick(NAMES)
  const words = ['invoices', 'reports', 'exports', 'images', 'tmp', 'cache', 'q3', 'backup', 'data', 'uploads']
  return {
    int, pick, hex, base36, name,
    digits: length => of('123456789', 1) + of('0123456789', length - 1),
    base62: length => of('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', length),
    base64: bytes => Buffer.from(Array.from({ length: bytes }, () => int(0, 255))).toString('base64'),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    ulid: () => `01${of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
    objectId: () => hex(24),
    email: () =>
      `${name()}${pick(['', '.', '_', '+test'])}${pick(['', String(int(1, 99)), name()])}@${pick([
        'example.com', 'mail.example.org', 'firma.example.de', 'shop.example.co.uk'
      ])}`,
    host: () =>
      `${pick(['db', `db-${int(1, 40)}`, `db-${hex(9)}-${base36(5).replace(/[aeiou01]/g, 'x')}`]).replace(
        /^db$/, 'db-0'
      )}.prod.svc.cluster.local`,
    ipv4: () => `${int(10, 220)}.${int(0, 255)}.${int(0, 255)}.${int(1, 254)}`,
    ipv6: () => `2001:db8::${hex(4)}:${hex(3)}`,
    url: () =>
      `https://api.example.com/${pick(['v1', 'v2'])}/${pick(words)}/${base36(int(4, 9))}${pick([
        '', `?page=${int(1, 99)}&key=${base36(8)}`
      ])}`,
    path: () =>
      `/${pick([
        'srv', 'var/lib', 'home/app', 'mnt'
      ])}/${pick(words)}/${base36(int(3, 8))}/${name()}-${int(1, 999)}.${pick(['csv', 'pdf', 'json', 'png'])}`,
    windowsPath: () => `C:\\${pick(['Data', 'Users', 'Temp'])}\\${name()}\\${pick(words)}\\${base36(5)}.csv`,
    iso: () =>
      `${int(2023, 2027)}-${two(int(1, 12))}-${two(int(1, 28))}T${two(int(0, 23))}:${two(int(0, 59))}:${two(int(0, 59))}${pick([
        '', `.${int(100, 999)}`
      ])}${pick(['Z', '+01:00', '+0200'])}`,
    amount: () =>
      pick([`${int(1, 9999)}.${two(int(0, 99))}`, `${int(1, 99)},${two(int(0, 99))}`, `${int(1, 9)},${int(100, 999)}.${two(int(0, 99))}`]),
    duration: () =>
      pick([
        `${int(2, 9999)}ms`, `${int(2, 9999)} ms`, `${int(1, 99)}.${int(1, 9)} s`, `${int(2, 90)} seconds`, `${int(1, 9)}m${int(1, 59)}s`
      ]),
    bytes: () => pick([`${int(1, 999)} MB`, `${int(1, 99)}.${int(1, 9)} GB`, `${int(100, 99999)} bytes`, `${int(2, 900)}KiB`])
  }
}
