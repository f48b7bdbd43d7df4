/** What a plan counts by the month. */
export type UsageKind = "actions" | "ai_calls"

/** Uses a month that the trial plan allows. */
export const trialCaps: Readonly<Record<UsageKind, number>> = { actions: 500, ai_calls: 200 }

/** The calendar month (UTC) of a time in epoch milliseconds, `YYYY-MM`. */
export const usageMonth = (millis: number): string => new Date(millis).toISOString().slice(0, 7)
