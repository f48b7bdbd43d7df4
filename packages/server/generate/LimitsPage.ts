import { type BodyLimit, bodyLimits, formatBytes } from "@leadloom/api/internal/BodyLimits"
import { variableCatalog } from "../src/config/VariableCatalog.ts"
import type { VariableEntry } from "../src/config/VariableEntry.ts"
import { type Limit, limitGroups, type LimitUnit } from "./LimitList.ts"
import { markdownTable } from "./MarkdownTable.ts"
import { type JsonSchema, resolveSchema, schemas } from "./OpenApi.ts"

const counted = (value: number): string => value.toLocaleString("en-US")

/** Formats a time in the largest unit in which it is a whole number. */
const formatMillis = (millis: number): string => {
  const units: ReadonlyArray<readonly [name: string, millis: number]> = [
    ["days", 86_400_000],
    ["hours", 3_600_000],
    ["minutes", 60_000],
    ["seconds", 1_000]
  ]
  const [name, size] = units.find(([, one]) => millis % one === 0 && millis / one > 1) ?? ["milliseconds", 1]
  return `${counted(millis / size)} ${name}`
}

const format = (value: number, unit: LimitUnit): string => {
  if (unit === "bytes") return formatBytes(value)
  if (unit === "milliseconds") return formatMillis(value)
  return `${counted(value)} ${unit}`.trimEnd()
}

const entries: Readonly<Record<string, VariableEntry>> = variableCatalog

const valueOf = ({ unit, value, variable }: Limit): string =>
  format(value ?? Number(entries[variable ?? ""]?.default ?? Number.NaN), unit)

const row = (one: Limit): ReadonlyArray<string> => [
  one.what,
  valueOf(one),
  one.variable === undefined ? "fixed" : `\`${one.variable}\``
]

const bodyRows = Object.entries<BodyLimit>(bodyLimits).map(([operation, { bytes, values }]) => [
  `\`${operation}\``,
  formatBytes(bytes),
  values === null ? "" : counted(values)
])

const boundsOf = ({ maxItems, maxLength, maximum, minimum }: JsonSchema): string =>
  [
    maxLength === undefined ? "" : `at most ${counted(maxLength)} characters`,
    maxItems === undefined ? "" : `at most ${counted(maxItems)} values`,
    minimum === undefined || maximum === undefined ? "" : `${counted(minimum)} to ${counted(maximum)}`
  ]
    .filter((text) => text !== "")
    .join(", ")

/** Returns the bounds of all fields below a schema. Named schemas have their own rows. */
const fieldBounds = (schema: JsonSchema, path: string): ReadonlyArray<readonly [path: string, bounds: string]> => {
  const bounds = boundsOf(schema)
  return [
    ...(bounds === "" || path === "" ? [] : [[path, bounds] as const]),
    ...(schema.anyOf ?? []).flatMap((one) => fieldBounds(one, path)),
    ...(schema.items === undefined ? [] : fieldBounds(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      fieldBounds(one, path === "" ? name : `${path}.${name}`)
    )
  ]
}

/** The schemas of nested conditions, which repeat the bounds of `Condition`. */
const isNestedCondition = (name: string): boolean => /^Condition\d+$/u.test(name)

const fieldRows = Object.entries(schemas).flatMap(([name, schema]) => {
  if (isNestedCondition(name)) return []
  const found = new Map<string, Set<string>>()
  for (const [path, bounds] of fieldBounds(resolveSchema(schema), ""))
    found.set(path, (found.get(path) ?? new Set()).add(bounds))
  return [...found].map(([path, bounds]) => [`\`${name}\``, `\`${path}\``, [...bounds].join("; ")])
})

/** Returns the reference of limits, `docs/reference/limits.md`. */
export const limitsPage = (): string =>
  [
    "# Limits",
    "",
    "Generated from the constants of the code, `packages/api/src/BodyLimits.ts` and `packages/api/openapi.json` by",
    "`npm run generate`. Do not edit.",
    "",
    "A request beyond a limit receives an [error](errors.md): 400 for a field, 413 for a body, 429 for a rate. Responses of rate",
    "limiters have the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. A limit is *fixed* if no",
    "setting changes it. For a variable, the table shows the default ([configuration](configuration.md)).",
    "",
    ...limitGroups.flatMap(([title, limits]) => [
      `## ${title}`,
      "",
      ...markdownTable(["limit", "maximum", "setting"], limits.map(row)),
      ""
    ]),
    "## Bodies",
    "",
    "The maximum size of a request body, and the maximum number of values in its JSON. Every object, list, text, number and",
    "boolean counts as one value. Other operations read no body.",
    "",
    ...markdownTable(["operation", "size", "values"], bodyRows),
    "",
    "## Fields",
    "",
    "The bounds of fields in requests and responses.",
    "",
    ...markdownTable(["schema", "field", "bounds"], fieldRows),
    ""
  ].join("\n")
