import type { Cause } from './known-causes.ts'

const error = (message: Cause['message'], type = 'Error'): Cause => ({ type, message })

/** Written before the rules were first run. Some rules were fixed later because these causes had split, so new causes may do worse. */
export const UNSEEN_CAUSES: readonly Cause[] = [
  error(r => `evt_${r.base36(3)}: handler returned nothing`),
  error(r => `evt_${r.base36(3)}: handler rejected`),
  error(r => `Webhook wh_${r.base36(r.int(4, 10))} answered ${r.pick([410])} Gone`),
  error(r => `tenant ${r.base36(8)} has no plan`),
  error(r => `tenant ${r.base36(8)} has no owner`),
  error(r => `batch ${r.base62(21)} is incomplete`),
  error(r => `Job #${r.digits(4)} exceeded its memory limit of ${r.bytes()}`),
  error(r => `Session ${r.base62(32)} revoked by ${r.email()}`, 'AuthError'),
  error(r => `API key sk_live_${r.base62(24)} is disabled`, 'AuthError'),
  error(r => `API key sk_live_${r.base62(24)} is unknown`, 'AuthError'),
  error(r => `card_declined: ${r.pick(['ch_', 'py_'])}${r.base62(24)}`.replace('py_', 'ch_'), 'StripeCardError'),
  error(r => `expired_card: ch_${r.base62(24)}`, 'StripeCardError'),
  error(r => `Message ${r.ulid()} could not be decoded`),
  error(r => `SKU-${r.base36(6).toUpperCase()} is out of stock`),
  error(r => `trace=${r.hex(32)} span=${r.hex(16)} upstream closed the stream`),
  error(r => `upstream ${r.host()}:${r.int(1000, 9999)} returned an empty body`),
  error(r => `self-signed certificate in certificate chain for ${r.ipv4()}`),
  error(r => `Hostname/IP does not match certificate's altnames: Host: ${r.host()}. is not in the cert's altnames`),
  error(r => `ENOSPC: no space left on device, write '${r.path()}'`),
  error(r => `EISDIR: illegal operation on a directory, read '${r.path()}'`),
  error(r => `spawn ${r.path()} ENOENT`),
  error(r => `cannot parse ${r.windowsPath()} at line ${r.int(1, 9999)}, column ${r.int(1, 200)}`),
  error(r => `value too long for type character varying(${r.pick([255])})`, 'error'),
  error(r => `insert or update on table "orders" violates foreign key constraint "orders_user_fk"${r.pick([''])}`, 'error'),
  error(() => 'insert or update on table "orders" violates foreign key constraint "orders_shop_fk"', 'error'),
  error(() => 'column "colour" does not exist', 'error'),
  error(() => 'column "weight" does not exist', 'error'),
  error(r => `could not serialize access due to concurrent update of row ${r.digits(6)}`, 'error'),
  error(r => `remaining connection slots are reserved (${r.int(90, 500)} in use)`, 'error'),
  error(r => `READONLY You can't write against a read only replica ${r.ipv4()}`, 'ReplyError'),
  error(r => `NOSCRIPT No matching script ${r.hex(40)}.`, 'ReplyError'),
  error(r => `Command timed out after ${r.duration()} on redis-${r.int(1, 9)}`),
  error(r => `Request failed with status code ${r.pick([503])}: {"error":{"code":"overloaded","request":"${r.base36(10)}"}}`, 'AxiosError'),
  error(
    r => `Request failed with status code ${r.pick([503])}: {"error":{"code":"maintenance","request":"${r.base36(10)}"}}`, 'AxiosError'
  ),
  error(r => `Invalid URL: ${r.pick(['htp:/', 'ttps:'])}${r.base36(6)}`.replace('ttps:', 'htp:/'), 'TypeError'),
  error(r => `Reduce of empty array with no initial value${r.pick([''])}`, 'TypeError'),
  error(r => `Invalid time value: ${r.iso()}`, 'RangeError'),
  error(() => 'Maximum call stack size exceeded', 'RangeError'),
  error(
    r =>
      JSON.stringify(
        [{ code: 'invalid_string', validation: 'email', path: ['contact', 'email'], message: 'Invalid email', ...r.pick([{}]) }], null, 2
      ),
    'ZodError'
  ),
  error(
    r =>
      JSON.stringify(
        [{ code: 'invalid_string', validation: 'url', path: ['contact', 'site'], message: 'Invalid url', ...r.pick([{}]) }], null, 2
      ),
    'ZodError'
  ),
  error(r => `data/items/${r.int(0, 40)}/price must be number`, 'ValidationError'),
  error(r => `data/items/${r.int(0, 40)}/sku must be string`, 'ValidationError'),
  error(r => `Invitation for ${r.email()} was already accepted on ${r.iso()}`),
  error(r => `Rechnung ${r.int(2024, 2027)}/${r.digits(4)} vom ${r.int(1, 28)}.${r.int(1, 12)}.${r.int(2024, 2027)} ist bereits storniert`),
  error(r => `Kunde ${r.name()}@example.de ist gesperrt`),
  error(r => `Nur noch ${r.int(1, 99)} % Speicherplatz auf ${r.pick(['/dev/sda1/x'])} frei`),
  error(r => `Échec du paiement de ${r.amount()} € pour la commande cmd_${r.base36(5)}`),
  error(r => `Délai d'attente dépassé (${r.duration()})`),
  error(r => `Adresse « ${r.int(1, 99)} rue ${r.name()} » introuvable`),
  error(r => `El pedido ${r.digits(6)} no existe`),
  error(r => `Zamówienie ${r.uuid()} zostało anulowane`),
  error(r => `ファイル ${r.path()} を開けません`),
  error(r => `在庫が不足しています: 商品 ${r.base36(8)}, 数量 ${r.int(1, 99)}`),
  error(r => `用户 ${r.digits(7)} 不存在`),
  error(r => `Не удалось отправить письмо на ${r.email()}: ящик переполнен`),
  error(r => `Файл «${r.name()}.pdf» повреждён`),
  error(r =>
    `Backup of ${r.pick(['Mon', 'Tue', 'Sun'])} ${r.pick(['Jan', 'Nov'])} ${r.int(10, 28)} ${r.int(2024, 2027)} ` +
      `${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)} GMT+0100 is corrupt`),
  error(r => `build ${r.hex(7)} failed in ${r.duration()}`),
  error(r => `digest ${r.base64(32)} is unknown`),
  error(r => `object ${r.objectId()} is locked by ${r.uuid()}`),
  error(r => `ids ${Array.from({ length: r.int(2, 6) }, () => r.digits(4)).join(', ')} are unknown`),
  error(r => `pod api-${r.hex(9)}-${r.base36(5).replace(/[aeiou0-39]/g, 'k')} crashed`),
  error(r => `lease of ${r.base36(4)} lost`),
  error(r => `dial ${r.ipv6()} failed`),
  error(r => `price of item_${r.base36(4)} changed from $${r.amount()} to $${r.amount()}`)
]
