import type { RelayedText } from './relayed-text.ts'

/** A cause: the type of its error, and its message with the parts that change from one failure to the next. */
export type RelayedCause = readonly [type: string, message: (text: RelayedText) => string]

/**
 * Messages as libraries, databases and services in other languages word them. Written without looking at the normalizer or the other
 * corpora. Neighbouring entries often differ in only one word, code, host or name, and are nevertheless two causes.
 */
export const RELAYED_CAUSES: readonly RelayedCause[] = [
  // Node and undici
  ['Error', r => `connect ECONNREFUSED ${r.ip()}:${r.port()}`],
  ['Error', r => `connect ETIMEDOUT ${r.ip()}:${r.port()}`],
  ['Error', r => `connect EHOSTUNREACH ${r.ip()}:${r.port()} - Local (${r.ip()}:${r.port()})`],
  ['Error', r => `read ECONNRESET ${r.ip6()}`],
  ['Error', r => `write EPIPE ${r.ip6()}`],
  ['Error', () => 'getaddrinfo ENOTFOUND db.internal'],
  ['Error', () => 'getaddrinfo ENOTFOUND cache.internal'],
  ['Error', () => 'getaddrinfo EAI_AGAIN db.internal'],
  ['Error', r => `ENOENT: no such file or directory, open '${r.path('csv')}'`],
  ['Error', r => `ENOENT: no such file or directory, unlink '${r.path('csv')}'`],
  ['Error', r => `EACCES: permission denied, open '${r.path('pdf')}'`],
  ['Error', r => `EBUSY: resource busy or locked, rename '${r.windowsPath('docx')}' -> '${r.windowsPath('docx')}'`],
  ['Error', () => 'ENOSPC: no space left on device, write'],
  ['Error', r => `Command failed: convert ${r.path('png')} -resize ${r.int(100, 4_000)}x${r.int(100, 4_000)} ${r.path('jpg')}`],
  ['RangeError', r => `The value of "offset" is out of range. It must be >= 0 and <= ${r.number()}. Received ${r.number()}`],
  ['SyntaxError', r => `Unexpected token '<', "<html><title>${r.base62()}"... is not valid JSON`],
  [
    'SyntaxError',
    r => `Expected ',' or '}' after property value in JSON at position ${r.int(1, 99_999)} (line ${r.int(1, 900)} column ${r.int(1, 900)})`
  ],
  ['SyntaxError', r => `Unterminated string in JSON at position ${r.int(1, 99_999)} (line ${r.int(1, 900)} column ${r.int(1, 900)})`],
  ['TypeError', () => 'Cannot read properties of undefined (reading \'total\')'],
  ['TypeError', () => 'Cannot read properties of undefined (reading \'customer\')'],
  ['TypeError', () => 'Cannot read properties of null (reading \'total\')'],
  ['TypeError', r => `Invalid URL: http://${r.base36()}.example.com:${r.int(70_000, 99_999)}/${r.query()}`],
  ['HeadersTimeoutError', r => `Headers Timeout Error: no headers after ${r.duration()}`],
  ['BodyTimeoutError', r => `Body Timeout Error: no data after ${r.duration()}`],
  ['SocketError', r => `other side closed (local ${r.ip()}:${r.port()}, sent ${r.size()}, received ${r.size()})`],
  // pg, MySQL, SQLite, Mongo
  ['DatabaseError', () => 'duplicate key value violates unique constraint "invoices_number_key"'],
  ['DatabaseError', () => 'duplicate key value violates unique constraint "invoices_customer_key"'],
  ['DatabaseError', () => 'insert or update on table "orders" violates foreign key constraint "orders_customer_fk"'],
  ['DatabaseError', () => 'insert or update on table "refunds" violates foreign key constraint "orders_customer_fk"'],
  [
    'DatabaseError',
    r => `duplicate key value violates unique constraint "users_email_key" Detail: Key (email)=(${r.email()}) already exists.`
  ],
  [
    'DatabaseError',
    r => `duplicate key value violates unique constraint "users_phone_key" Detail: Key (phone)=(${r.phone()}) already exists.`
  ],
  ['DatabaseError', () => 'relation "shipments" does not exist'],
  ['DatabaseError', () => 'relation "parcels" does not exist'],
  ['DatabaseError', () => 'column "parcels" does not exist'],
  ['DatabaseError', r => `invalid input syntax for type uuid: "${r.nanoid()}"`],
  ['DatabaseError', r => `invalid input syntax for type integer: "${r.one([r.decimal(), r.base36(), ''])}"`],
  [
    'DatabaseError',
    r =>
      `deadlock detected: Process ${r.int(100, 99_999)} waits for ShareLock on transaction ${r.int(1_000, 9_999_999)}; blocked by ` +
        `process ${r.int(100, 99_999)}.`
  ],
  ['DatabaseError', r => `value "${r.int(3_000_000_000, 9_000_000_000)}" is out of range for type integer`],
  ['DatabaseError', r => `date/time field value out of range: "${r.germanDay()}"`],
  ['DatabaseError', r => `canceling statement due to statement timeout after ${r.duration()}`],
  ['DatabaseError', r => `canceling statement due to lock timeout after ${r.duration()}`],
  ['Error', r => `Duplicate entry '${r.email()}' for key 'customers.email_unique'`],
  ['Error', r => `Duplicate entry '${r.email()}' for key 'suppliers.email_unique'`],
  ['Error', r => `Lock wait timeout exceeded; try restarting transaction (thread ${r.number()})`],
  ['MongoServerError', r => `E11000 duplicate key error collection: shop.orders index: number_1 dup key: { number: "${r.id('ord')}" }`],
  ['MongoServerError', r => `E11000 duplicate key error collection: shop.carts index: number_1 dup key: { number: "${r.id('ord')}" }`],
  ['CastError', r => `Cast to ObjectId failed for value "${r.base36()}" (type string) at path "_id" for model "Order"`],
  ['DocumentNotFoundError', r => `No document found for query "{ _id: new ObjectId('${r.hex(24)}') }" on model "Order"`],
  // ioredis, brokers
  ['ReplyError', r => `MOVED ${r.int(0, 16_383)} ${r.ip()}:${r.port()}`],
  ['ReplyError', r => `ASK ${r.int(0, 16_383)} ${r.ip()}:${r.port()}`],
  ['ReplyError', () => 'WRONGTYPE Operation against a key holding the wrong kind of value'],
  [
    'MaxRetriesPerRequestError',
    r => `Reached the max retries per request limit (which is ${r.int(1, 20)}). Refer to "maxRetriesPerRequest" option for details.`
  ],
  [
    'KafkaJSProtocolError',
    r => `This server is not the leader for topic-partition orders-${r.int(0, 63)} (correlation ${r.int(1, 99_999)})`
  ],
  [
    'Error',
    r =>
      'Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - delivery acknowledgement on channel ' +
        `${r.int(1, 99)} timed out. Timeout value used: ${r.int(1_000, 9_999_999)} ms"`
  ],
  // Prisma, axios, Stripe, AWS and other services
  ['PrismaClientKnownRequestError', () => 'Unique constraint failed on the fields: (`email`)'],
  ['PrismaClientKnownRequestError', () => 'Unique constraint failed on the fields: (`slug`)'],
  ['PrismaClientKnownRequestError', () => 'Foreign key constraint failed on the field: `slug`'],
  ['PrismaClientInitializationError', r => `Can't reach database server at \`${r.ip()}\`:\`${r.port()}\``],
  [
    'PrismaClientKnownRequestError',
    r =>
      `Timed out fetching a new connection from the connection pool. (Current connection pool timeout: ${r.int(1, 60)}, ` +
        `connection limit: ${r.int(1, 100)})`
  ],
  ['AxiosError', () => 'Request failed with status code 404'],
  ['AxiosError', () => 'Request failed with status code 503'],
  ['AxiosError', r => `timeout of ${r.int(100, 60_000)}ms exceeded`],
  ['HTTPError', r => `Response code 404 (Not Found): GET https://api.partner.example/v2/orders/${r.base62()}${r.query()}`],
  ['HTTPError', r => `Response code 503 (Service Unavailable): GET https://api.partner.example/v2/orders/${r.base62()}${r.query()}`],
  ['HTTPError', r => `Response code 503 (Service Unavailable): POST https://api.partner.example/v2/orders/${r.base62()}${r.query()}`],
  ['HTTPError', r => `Response code 503 (Service Unavailable): GET https://api.courier.example/v2/orders/${r.base62()}${r.query()}`],
  ['StripeCardError', r => `Your card was declined. request_id: ${r.id('req')}, charge ${r.id('ch')}`],
  ['StripeCardError', r => `Your card has insufficient funds. request_id: ${r.id('req')}, charge ${r.id('ch')}`],
  [
    'StripeInvalidRequestError',
    r => `No such customer: '${r.id('cus')}'; a similar object exists in test mode, but a live mode key was used`
  ],
  [
    'StripeInvalidRequestError',
    r => `No such payment_intent: '${r.longId('pi')}'; a similar object exists in test mode, but a live mode key was used`
  ],
  [
    'StripeRateLimitError',
    r => `Request rate limit exceeded for account ${r.longId('acct')}. See ${r.longId('req')}, retry after ${r.duration()}`
  ],
  ['NoSuchKey', r => `The specified key does not exist. (RequestId: ${r.base36().toUpperCase()}, HostId: ${r.base64(76)})`],
  [
    'AccessDenied',
    r =>
      `User: arn:aws:sts::${r.int(100_000_000_000, 999_999_999_999)}:assumed-role/worker/i-0${r.hex(16)} is not ` +
        'authorized to perform: s3:GetObject'
  ],
  [
    'AccessDenied',
    r =>
      `User: arn:aws:sts::${r.int(100_000_000_000, 999_999_999_999)}:assumed-role/worker/i-0${r.hex(16)} is not ` +
        'authorized to perform: s3:PutObject'
  ],
  ['ExpiredToken', r => `The provided token has expired at ${r.iso()} (token ${r.base64(40)})`],
  ['ThrottlingException', r => `Rate exceeded: ${r.decimal()} of ${r.int(1, 500)} requests per second`],
  ['JsonWebTokenError', r => `jwt signature does not verify: ${r.jwt()}`],
  ['TokenExpiredError', r => `jwt expired at ${r.iso()}, now ${r.iso()}`],
  // Mail
  [
    'Error',
    r =>
      `Can't send mail - all recipients were rejected: 550 5.1.1 <${r.email()}>: Recipient address rejected: User ` +
        'unknown in virtual mailbox table'
  ],
  ['Error', r => `Can't send mail - all recipients were rejected: 552 5.2.2 <${r.email()}>: Mailbox full (${r.size()} of ${r.size()})`],
  [
    'Error',
    r => `Message failed: 421 4.7.0 [${r.ip()}] Try again later, closing connection. ${r.base36()}-20020a${r.hex(18)}si${r.int(1, 999)}`
  ],
  ['Error', r => `451 4.3.0 Temporary failure since ${r.mailTime()} for <${r.email()}>`],
  // Relayed from Python, Java and Go
  [
    'Error',
    r =>
      `HTTPSConnectionPool(host='api.partner.example', port=443): Max retries exceeded with url: /v1/items/${r.uuid()} (Caused by ` +
        `ConnectTimeoutError(<urllib3.connection.HTTPSConnection object at 0x${r.hex(12)}>, 'Connection to api.partner.example timed ` +
        `out. (connect timeout=${r.int(1, 60)})'))`
  ],
  ['Error', r => `KeyError: 'sku' while reading row ${r.grouped()} of ${r.path('xlsx')}`],
  ['Error', r => `KeyError: 'price' while reading row ${r.grouped()} of ${r.path('xlsx')}`],
  ['Error', r => `json.decoder.JSONDecodeError: Expecting value: line ${r.int(1, 99)} column ${r.int(1, 99)} (char ${r.int(0, 9_999)})`],
  ['Error', r => `UnicodeDecodeError: 'utf-8' codec can't decode byte 0x${r.hex(2)} in position ${r.int(0, 99_999)}: invalid start byte`],
  [
    'Error',
    r => `UnicodeDecodeError: 'utf-8' codec can't decode byte 0x${r.hex(2)} in position ${r.int(0, 99_999)}: invalid continuation byte`
  ],
  ['Error', r => `java.lang.OutOfMemoryError: Java heap space (used ${r.size()}, max ${r.size()})`],
  ['Error', r => `java.lang.OutOfMemoryError: Metaspace (used ${r.size()}, max ${r.size()})`],
  ['Error', r => `com.example.Order@${r.hex(8)} could not be locked: java.util.concurrent.TimeoutException: waited ${r.duration()}`],
  [
    'Error',
    r => `org.postgresql.util.PSQLException: FATAL: too many connections for role "worker" (thread http-nio-8080-exec-${r.int(1, 200)})`
  ],
  [
    'Error',
    r =>
      `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp ${r.ip()}:${r.port()}: ` +
        'connect: connection refused"'
  ],
  ['Error', r => `rpc error: code = DeadlineExceeded desc = context deadline exceeded after ${r.duration()}`],
  ['Error', r => `rpc error: code = NotFound desc = order ${r.ulid()} not found`],
  ['Error', r => `rpc error: code = NotFound desc = customer ${r.ulid()} not found`],
  ['Error', r => `goroutine ${r.int(1, 99_999)} [running]: panic: index out of range [${r.int(0, 99)}] with length ${r.int(0, 99)}`],
  ['Error', r => `${r.day().replaceAll('-', '/')} ${r.time()} http: TLS handshake error from ${r.ip()}:${r.port()}: EOF`],
  // From applications
  ['Error', r => `Order ${r.base62()} is already shipped`],
  ['Error', r => `Order ${r.base62()} is already cancelled`],
  ['Error', r => `Customer "${r.person()}" has no billing address`],
  ['Error', r => `Customer "${r.person()}" has no shipping address`],
  ['Error', r => `Refund of ${r.money()} exceeds the charge of ${r.money()} (${r.id('re', 3)})`],
  ['Error', r => `Partner answered ${r.json()} instead of a receipt`],
  ['Error', r => `Unknown skus: [${r.list(() => r.base36())}]`],
  ['Error', r => `Missing invoices ${r.list(() => String(r.int(1, 99_999)))} for ${r.longDay()}`],
  ['Error', r => `Checksum mismatch: expected sha256:${r.hex(64)}, got sha256:${r.hex(64)}`],
  ['Error', r => `Job ${r.nanoid()} was stalled at ${r.sqlTime()} on worker ${r.hex(7)}`],
  ['Error', r => `Lease of shard ${r.int(0, 31)} lost to pod mailer-${r.hex(9)}-${r.base36().slice(0, 5)} at ${r.epoch()}`],
  ['Error', r => `Webhook ${r.id('evt', 4)} to https://hooks.shop.example/in/${r.uuid()} answered 410`],
  ['Error', r => `Webhook ${r.id('evt', 4)} to https://hooks.shop.example/in/${r.uuid()} answered 429`],
  ['ValidationError', r => `items[${r.int(0, 99)}].quantity must be at most ${r.int(1, 100)}, got ${r.number()}`],
  ['ValidationError', r => `items[${r.int(0, 99)}].price must be at most ${r.int(1, 100)}, got ${r.number()}`],
  ['Error', r => `SMS to ${r.phone()} not delivered: carrier code 30005`],
  ['Error', r => `SMS to ${r.phone()} not delivered: carrier code 30006`],
  ['Error', r => `Upload of ${r.path('mp4')} stopped at ${r.int(0, 99)}% (${r.size()} of ${r.size()}) after ${r.duration()}`],
  // German, French, Spanish, Japanese
  ['Error', r => `Rechnung ${r.int(1_000, 99_999)} vom ${r.germanDay()} wurde bereits bezahlt`],
  ['Error', r => `Rechnung ${r.int(1_000, 99_999)} vom ${r.germanDay()} wurde bereits storniert`],
  ['Error', r => `Der Betrag von ${r.int(1, 999)},${r.int(10, 99)} € für „${r.person()}“ ist zu hoch`],
  ['Error', r => `La commande « ${r.base62()} » du client ${r.email()} est introuvable`],
  ['Error', r => `La facture « ${r.base62()} » du client ${r.email()} est introuvable`],
  ['Error', r => `Impossible d'ouvrir le fichier ${r.path('xml')} après ${r.duration()}`],
  ['Error', r => `No se pudo enviar el pedido ${r.base36()} a ${r.person()}: dirección no válida`],
  ['Error', r => `No se pudo enviar el pedido ${r.base36()} a ${r.email()}: saldo insuficiente`],
  ['Error', r => `注文番号${r.int(1_000, 999_999)}は${r.japaneseDay()}に発送済みです`],
  ['Error', r => `注文番号${r.int(1_000, 999_999)}は${r.japaneseDay()}に取消済みです`],
  ['Error', r => `ファイル「${r.path('csv')}」を開けません(${r.size()})`]
]
