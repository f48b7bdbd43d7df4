import { Context, Metric } from "effect"
import { formatUnsafe } from "effect/observability/PrometheusMetrics"

/** Names of labels with their values. The values come from lists of ours: see docs/decisions/0054-metrics.md. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

const nothing = () => undefined

/** A family's series, each made when it is first asked for. Callers write their labels in one order. */
const seriesOf = <Name extends string, A>(make: (attributes: Labels<Name>) => A): ((labels: Labels<Name>) => A) => {
  const made = new Map<string, A>()
  return (labels) => {
    const key = Object.values(labels).join("\n")
    const known = made.get(key)
    if (known !== undefined) return known
    const series = make(labels)
    made.set(key, series)
    return series
  }
}

/**
 * Families of metrics in a registry of their own: two servers in one process report their own figures. Names follow
 * https://prometheus.io/docs/practices/naming/.
 */
export const makeFamilies = () => {
  const registry = Context.make(Metric.MetricRegistry, new Map())
  return {
    /** Counts; a series that has counted nothing says 0 once it was counted with 0. */
    counter: <Name extends string>(name: string, description: string) => {
      const series = seriesOf<Name, Metric.Counter<number>>((attributes) =>
        Metric.counter(name, { description, attributes, incremental: true })
      )
      return (labels: Labels<Name>, count = 1): void => series(labels).updateUnsafe(count, registry)
    },
    /** Counts how long things took, seconds, in buckets up to those bounds. */
    histogram: <Name extends string>(name: string, description: string, boundaries: ReadonlyArray<number>) => {
      const series = seriesOf<Name, Metric.Histogram<number>>((attributes) =>
        Metric.histogram(name, { description, attributes, boundaries })
      )
      return (labels: Labels<Name>, seconds: number): void => series(labels).updateUnsafe(seconds, registry)
    },
    /** What stands at a figure; null takes the series away. */
    gauge: <Name extends string>(name: string, description: string) => {
      const series = seriesOf<Name, Metric.Gauge<number>>((attributes) =>
        Metric.gauge(name, { description, attributes })
      )
      return (labels: Labels<Name>, value: number | null): void =>
        value === null ? Metric.removeUnsafe(series(labels), registry) : series(labels).updateUnsafe(value, registry)
    },
    /** A figure that somebody else keeps, read when it is asked for. */
    readGauge: (name: string, description: string, read: () => number): void => {
      const hooks = { get: () => ({ value: read() }), update: nothing, modify: nothing }
      Metric.registerUnsafe(Metric.gauge(name, { description }), registry, hooks)
    },
    /** The same of one that only grows. */
    readCounter: (name: string, description: string, read: () => number): void => {
      const hooks = { get: () => ({ count: read(), incremental: true }), update: nothing, modify: nothing }
      Metric.registerUnsafe(Metric.counter(name, { description, incremental: true }), registry, hooks)
    },
    /** All of it in the text format of Prometheus, version 0.0.4. */
    text: (): string => formatUnsafe(registry)
  }
}

/** A registry and what makes families in it. */
export type Families = ReturnType<typeof makeFamilies>
