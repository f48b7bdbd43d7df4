/** What a plan caps by the month. */
export type CappedKind = "actions" | "ai_calls"

/** What is counted of a tenant by the month. */
export type UsageKind = CappedKind | "ai_input_tokens" | "ai_output_tokens"

/** How much a tenant has used in one month. */
export type UsageCounts = Readonly<Record<UsageKind, number>>

/** The calendar month (UTC) of a time in epoch milliseconds, `YYYY-MM`. */
export const usageMonth = (millis: number): string => new Date(millis).toISOString().slice(0, 7)
