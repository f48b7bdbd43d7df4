import { Context, Metric } from "effect"
import { formatUnsafe } from "effect/observability/PrometheusMetrics"

/** Label names with their values. All values come from fixed lists (docs/decisions/0054-metrics.md). */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

const nothing = () => undefined

/**
 * Returns a function that creates a series on first use. Callers must pass the labels in a fixed order, because the
 * order is part of the identity of a series.
 */
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
 * Creates metric families in a separate registry, so that two servers in one process report separate values. Names
 * follow https://prometheus.io/docs/practices/naming/.
 */
export const makeFamilies = () => {
  const registry = Context.make(Metric.MetricRegistry, new Map())
  return {
    /** Creates a counter. To report a series as 0, increment it by 0. */
    counter: <Name extends string>(name: string, description: string) => {
      const series = seriesOf<Name, Metric.Counter<number>>((attributes) =>
        Metric.counter(name, { description, attributes, incremental: true })
      )
      return (labels: Labels<Name>, count = 1): void => series(labels).updateUnsafe(count, registry)
    },
    /** Creates a histogram of durations in seconds, with the given bucket boundaries. */
    histogram: <Name extends string>(name: string, description: string, boundaries: ReadonlyArray<number>) => {
      const series = seriesOf<Name, Metric.Histogram<number>>((attributes) =>
        Metric.histogram(name, { description, attributes, boundaries })
      )
      return (labels: Labels<Name>, seconds: number): void => series(labels).updateUnsafe(seconds, registry)
    },
    /** Creates a gauge. Setting it to null removes the series. */
    gauge: <Name extends string>(name: string, description: string) => {
      const series = seriesOf<Name, Metric.Gauge<number>>((attributes) =>
        Metric.gauge(name, { description, attributes })
      )
      return (labels: Labels<Name>, value: number | null): void =>
        value === null ? Metric.removeUnsafe(series(labels), registry) : series(labels).updateUnsafe(value, registry)
    },
    /** Creates a gauge whose value is read at each scrape. */
    readGauge: (name: string, description: string, read: () => number): void => {
      const hooks = { get: () => ({ value: read() }), update: nothing, modify: nothing }
      Metric.registerUnsafe(Metric.gauge(name, { description }), registry, hooks)
    },
    /** Creates a counter whose value is read at each scrape. */
    readCounter: (name: string, description: string, read: () => number): void => {
      const hooks = { get: () => ({ count: read(), incremental: true }), update: nothing, modify: nothing }
      Metric.registerUnsafe(Metric.counter(name, { description, incremental: true }), registry, hooks)
    },
    /** Returns all metrics in Prometheus text format, version 0.0.4. */
    text: (): string => formatUnsafe(registry)
  }
}

/** A registry of metrics, with functions that create metric families in it. */
export type Families = ReturnType<typeof makeFamilies>
