/** A value that JSON preserves. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

/**
 * The part of `Value` that JSON preserves. `Value` is assignable to it if JSON preserves all of it. Functions, bigints, symbols and
 * anything with a method, such as a `Date` or a `Map`, become `never`. Interfaces and optional properties are fine. `any` and `unknown`
 * pass, and their values are checked when they are enqueued.
 */
export type JsonSafe<Value> =
  unknown extends Value ? Value
    : [Value] extends [JsonValue | undefined | void] ? Value
      : Value extends string | number | boolean | null | undefined | void ? Value
        : Value extends NotJson ? never
        // Not mapped as an array, because `type Nested = Item | Nested[]` would recurse forever.
          : Value extends ReadonlyArray<infer Item> ? { readonly [index: number]: JsonSafe<Item> }
            : { [Key in keyof Value]: JsonSafe<Value[Key]> }

/**
 * The type of a value after a round trip through JSON. A value with `toJSON` becomes its return type, so a `Date` becomes a string. Methods
 * are dropped, `undefined` becomes null, and values that JSON does not have become `never`.
 */
export type Jsonify<Value> =
  unknown extends Value ? Value
    : Value extends undefined | void ? null
      : [Value] extends [JsonSafe<Value>] ? Value
        : Value extends { toJSON(...args: never[]): infer Json } ? Jsonify<Json>
          : Value extends NotJson | Emptied ? never
            : Value extends readonly unknown[] ? { [Key in keyof Value]: Jsonify<Value[Key]> }
              : JsonifyProperties<Value>

/**
 * `unknown` if JSON preserves every argument; otherwise a sentence about the first argument that it changes. Intersect it with the type of
 * a handler (`handler: Handler & CheckedArgs<Args>`), and the compiler reports that sentence.
 */
export type CheckedArgs<Args extends readonly unknown[]> = Args extends JsonSafe<Args> ? unknown : FaultOf<Args>

type AnyFunction = (...args: never[]) => unknown
type NotJson = bigint | symbol | AnyFunction | (abstract new (...args: never[]) => unknown)
/** JSON turns these into empty objects, or into meaningless numbers. */
type Emptied =
  ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | WeakMap<WeakKey, unknown> | WeakSet<WeakKey> | PromiseLike<unknown> | RegExp |
  ArrayBuffer | ArrayBufferView

type JsonifyProperties<Value> = Flat<
  { [Key in keyof Value as DataKey<Value, Key, false>]: Jsonify<Value[Key]> } &
  { [Key in keyof Value as DataKey<Value, Key, true>]?: Jsonify<Exclude<Value[Key], undefined>> }
>
type DataKey<Value, Key extends keyof Value, IsOptional extends boolean> =
  Value[Key] extends AnyFunction | undefined ? never : (undefined extends Value[Key] ? true : false) extends IsOptional ? Key : never
type Flat<Value> = { [Key in keyof Value]: Value[Key] }

type FaultOf<Args extends readonly unknown[], Before extends readonly unknown[] = []> =
  Args extends readonly [] ? never
    : Args extends readonly [_?: infer First, ...rest: infer Rest]
      ? number extends Args['length']
        ? FaultOfRest<Args, Before>
        : [First] extends [JsonSafe<First>] ? FaultOf<Rest, [...Before, First]> : `args[${Before['length']}] ${WhyNot<First>}`
      : never

/** For `(first: string, ...dates: Date[])`. */
type FaultOfRest<Args extends readonly unknown[], Before extends readonly unknown[]> =
  Args extends readonly [infer First, ...infer Rest]
    ? [First] extends [JsonSafe<First>] ? FaultOfRest<Rest, [...Before, First]> : `args[${Before['length']}] ${WhyNot<First>}`
    : `args[${Before['length']}] ${WhyNot<Args[number]>}`

type WhyNot<Value> =
  [Extract<Value, Date>] extends [never]
    ? [Extract<Value, NotJson>] extends [never]
      ? [Extract<Value, Emptied>] extends [never]
        ? 'contains a Date, a Map, a function or another value that JSON cannot represent'
        : 'is a Map, a Set, a RegExp, a promise or bytes, which JSON drops: use plain objects, arrays and strings'
      : 'is a function, a symbol or a bigint, which JSON does not have'
    : 'is a Date, which JSON turns into a string: use its ISO string or milliseconds'
