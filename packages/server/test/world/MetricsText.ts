/** One metric value. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A parsed page of metrics. */
export interface Page {
  readonly samples: ReadonlyArray<Sample>
  /** Returns a value by name and some of its labels; null: none. Fails if several match. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | null
  /** All series without their values. */
  readonly series: ReadonlyArray<string>
}

const fail = (line: string, why: string): never => {
  throw new Error(`${why}: ${line}`)
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const sampleShape = new RegExp(`^(${name})(?:\\{(.*)\\})? (\\S+)$`, "u")
const commentShape = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`, "u")
const labelShape = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/uy

const labelsOf = (line: string, text: string | undefined): Record<string, string> => {
  const labels: Record<string, string> = {}
  if (text === undefined) return labels
  labelShape.lastIndex = 0
  let at = 0
  while (at < text.length) {
    const [whole = "", label = "", value = ""] = labelShape.exec(text) ?? fail(line, "labels that cannot be read")
    if (label.startsWith("__") || label in labels) fail(line, `the label ${label}`)
    labels[label] = value
    at += whole.length
    labelShape.lastIndex = at
  }
  return labels
}

const valueOf = (line: string, text: string): number => {
  if (!/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/u.test(text)) fail(line, "a value that is no number")
  return text.endsWith("Inf") ? Number(`${text}inity`) : Number(text)
}

/** Checks that bucket counts increase with their boundaries, and that the last bucket contains all. */
const checkHistogram = (family: string, samples: ReadonlyArray<Sample>): void => {
  const byLabels = new Map<string, Array<Sample>>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    byLabels.set(key, [...(byLabels.get(key) ?? []), sample])
  }
  for (const [key, of] of byLabels) {
    const buckets = of.filter((one) => one.name === `${family}_bucket`)
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])))
    const count = of.find((one) => one.name === `${family}_count`)?.value
    if (of.filter((one) => one.name === `${family}_sum`).length !== 1) fail(family + key, "a histogram without sum")
    if (bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== count) fail(family + key, "a histogram without end")
    for (let index = 1; index < buckets.length; index++) {
      const [one, other] = [buckets[index - 1], buckets[index]]
      if ((bounds[index - 1] ?? 0) >= (bounds[index] ?? 0)) fail(family + key, "bounds that do not grow")
      if ((one?.value ?? 0) > (other?.value ?? 0)) fail(family + key, "buckets that are not cumulative")
    }
  }
}

interface Family {
  readonly name: string
  readonly type: string
  readonly samples: Array<Sample>
}

const checkFamily = ({ name, samples, type }: Family): void => {
  if (samples.length === 0) fail(name, "a family without samples")
  if ((type === "counter") !== name.endsWith("_total")) fail(name, `a ${type} of this name`)
  const allowed = type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  for (const sample of samples) {
    if (!allowed.includes(sample.name)) fail(sample.name, `a sample among those of ${name}`)
    if ("le" in sample.labels !== (sample.name === `${name}_bucket` && type === "histogram")) fail(sample.name, "le")
    if (type === "counter" && !(sample.value >= 0)) fail(sample.name, "a counter below 0")
  }
  if (type === "histogram") checkHistogram(name, samples)
}

const familiesOf = (text: string): ReadonlyArray<Family> => {
  if (!text.endsWith("\n") || text.includes("\r")) fail("the page", "no line feed at the end, or a carriage return")
  const families = new Map<string, Family>()
  let helped = ""
  let current: Family | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, about = "", rest = ""] = commentShape.exec(line) ?? []
    if (kind === "HELP") {
      if (families.has(about)) fail(line, "a family in two places")
      helped = about
    } else if (kind === "TYPE") {
      if (about !== helped || families.has(about)) fail(line, "a TYPE without its HELP, or the second")
      if (!["counter", "gauge", "histogram"].includes(rest)) fail(line, "an unknown type")
      current = { name: about, type: rest, samples: [] }
      families.set(about, current)
    } else {
      const [, sampleName = "", labels, value = ""] = sampleShape.exec(line) ?? fail(line, "a line that is nothing")
      if (current === null || current.name !== helped) return fail(line, "a sample without a family")
      current.samples.push({ name: sampleName, labels: labelsOf(line, labels), value: valueOf(line, value) })
    }
  }
  return [...families.values()]
}

const seriesOf = ({ labels, name }: Sample): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .toSorted()
    .join(",")}}`

/**
 * Parses the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/) strictly. It rejects
 * variants that scrapers accept: families in pieces, missing HELP, and counters without `_total`.
 */
export const readMetrics = (text: string): Page => {
  const families = familiesOf(text)
  families.forEach(checkFamily)
  const samples = families.flatMap((family) => family.samples)
  const series = samples.map(seriesOf)
  if (new Set(series).size !== series.length) fail("the page", "the same series twice")
  return {
    samples,
    series,
    value: (wanted, labels = {}) => {
      const found = samples.filter(
        (one) => one.name === wanted && Object.entries(labels).every(([label, value]) => one.labels[label] === value)
      )
      if (found.length > 1) fail(wanted, `${found.length} series of ${JSON.stringify(labels)}`)
      return found[0]?.value ?? null
    }
  }
}

/** Returns the metrics URL of a server process from its log. */
export const metricsUrlOf = (stdout: string): string =>
  /"serving metrics","url":"([^"]+)"/u.exec(stdout)?.[1] ?? fail(stdout, "no metrics")

/** Requests and parses a page of metrics. */
export const scrape = async (url: string): Promise<Page> => {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return readMetrics(await response.text())
}
