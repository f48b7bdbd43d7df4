import type { Variables } from "./Variables.ts"

/** The address of the metrics endpoint. */
export interface MetricsListen {
  readonly host: string
  /** The port; 0 selects any free port. */
  readonly port: number
}

/**
 * Reads the address of the metrics endpoint, which needs no credential. Returns null if metrics are disabled.
 * `mainPort` is the port of the API.
 */
export const readMetrics = ({ integer, text, wrong }: Variables, mainPort: number): MetricsListen | null => {
  const host = text("LEADLOOM_METRICS_HOST") ?? "127.0.0.1"
  if (text("LEADLOOM_METRICS_PORT") === null) return null
  const port = integer("LEADLOOM_METRICS_PORT", 0, 0, 65_535)
  if (port !== 0 && port === mainPort) {
    return wrong("LEADLOOM_METRICS_PORT", `must differ from LEADLOOM_PORT, which is ${port}.`, null)
  }
  return { host, port }
}
