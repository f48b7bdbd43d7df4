import type { Variables } from "./Variables.ts"

/** Where a server tells its metrics. */
export interface MetricsListen {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
}

/** Where metrics are told, to anybody who reaches it; null: nowhere. `mainPort` is where the server itself listens. */
export const readMetrics = ({ integer, text, wrong }: Variables, mainPort: number): MetricsListen | null => {
  const host = text("LEADLOOM_METRICS_HOST") ?? "127.0.0.1"
  if (text("LEADLOOM_METRICS_PORT") === null) return null
  const port = integer("LEADLOOM_METRICS_PORT", 0, 0, 65_535)
  if (port !== 0 && port === mainPort) {
    return wrong("LEADLOOM_METRICS_PORT", `has to be another port than LEADLOOM_PORT, which is ${port}.`, null)
  }
  return { host, port }
}
