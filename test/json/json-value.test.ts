import t from 'tap'
import type { CheckedArgs, Jsonify, JsonValue } from '../../lib/json/json-value.ts'

declare function task<Args extends readonly unknown[], Result>(
  handler: ((...args: Args) => Result | Promise<Result>) & CheckedArgs<Args>
): Jsonify<Result>
declare const brand: unique symbol

type Id = string & { readonly [brand]: 'id' }
type Kind = 'paid' | 'open'
type Deep = Leaf | Deep[]
interface Leaf { value: string }
interface Order { id: Id; kind: Kind; lines: Array<{ sku: string; count?: number }>; parent?: Order; note: string | undefined }
interface Tree { name: string; children: readonly Tree[] }
interface Dated { at: Date; next: Dated | null; end?: Date }
class Plain { x = 1; y?: string }
class Point { x = 1; norm(): number { return this.x } }

/** Never called: the compiler is the test. An expected error that is missing fails `npm run lint`. */
export function checkedAtCompileTime(): unknown[] {
  const taken = [
    task((order: Order, tree: Tree, deep: Deep, plain: Plain) => [order, tree, deep, plain].length),
    task((a: unknown, b: JsonValue, c: Record<string, unknown>, d: object, e?: Partial<Order>) => [a, b, c, d, e].length),
    task((a?: string, b: number | undefined = 3, c: Kind | null = null, ...rest: string[]) => [a, b, c, rest].length),
    task((list: ReadonlyArray<string | undefined>, pair: [a: string, b?: number], map: Record<string, Order>) => [list, pair, map].length),
    task((message: { name: string; message: string }) => message.name),
    task((...args: never[]) => args.length),
    task(() => 1)
  ]
  // @ts-expect-error args[0] is a Date
  task((when: Date) => when.getTime())
  // @ts-expect-error args[1] is a Date
  task((name: string, when?: Date) => [name, when].length)
  // @ts-expect-error rest parameters that are dates
  task((name: string, ...dates: Date[]) => [name, dates].length)
  // @ts-expect-error one member of a union is a Date
  task((when: string | Date) => when.toString())
  // @ts-expect-error a Date inside a recursive interface
  task((dated: Dated) => dated.next)
  // @ts-expect-error dates by name
  task((dates: Record<string, Date>) => Object.keys(dates))
  // @ts-expect-error args[0] is a Map
  task((tags: Map<string, string>) => tags.size)
  // @ts-expect-error sets in a list
  task((tags: Array<Set<string>>) => tags.length)
  // @ts-expect-error a callback
  task((done: () => void) => { done() })
  // @ts-expect-error an optional callback in an object
  task((options: { done?: () => void }) => options.done)
  // @ts-expect-error a method
  task((point: Point) => point.norm())
  // @ts-expect-error bytes
  task((body: Buffer | null) => body?.length)
  // @ts-expect-error a bigint
  task((amount: bigint) => amount)
  // @ts-expect-error a promise
  task((later: Promise<string>) => later)

  const order: Order = task(() => ({}) as Order)
  const nothing: null = task(() => {})
  const text: string = task(() => new Date())
  const none: never = task(() => new Map<string, string>())
  const point: { x: number } = task(() => new Point())
  const dates: Array<{ at?: string }> = task(async () => [{}])
  const maybe: string | null = task((): Promise<Date | undefined> => Promise.resolve(new Date()))
  const pair: [string, number] = task(() => [new Date(), 1] as [Date, number])
  const optional: { at?: string } = task(() => ({}) as { at: Date | undefined })
  const inner: string | undefined = task(() => ({}) as Dated).next?.next?.at
  const unknown: unknown = task((): unknown => 1)
  // @ts-expect-error a Date arrives as text
  const date: Date = task(() => ({ at: new Date() })).at
  return [taken, order, nothing, text, none, point, dates, maybe, pair, optional, inner, unknown, date]
}

t.test('the compiler refuses types that JSON does not preserve, and results have the type that JSON leaves', async t => {
  t.type(checkedAtCompileTime, 'function')
})
