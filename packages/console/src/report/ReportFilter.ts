import type { ReportFilter } from "./ReportData.ts"

const groups = ["day", "channel", "user", "source", "tag"] as const
const channels = ["email", "sms", "voice", "chat", "webhook"] as const

const oneOf = <const Value extends string>(values: ReadonlyArray<Value>, value: unknown): Value | undefined =>
  values.find((one) => one === value)

const day = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(value) ? value : undefined

/** Reads the filters from an address. The server rejects invalid periods. */
export const readReportFilter = (search: Readonly<Record<string, unknown>>): ReportFilter => {
  const found = {
    groupBy: oneOf(groups, search["groupBy"]),
    channel: oneOf(channels, search["channel"]),
    from: day(search["from"]),
    to: day(search["to"])
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
