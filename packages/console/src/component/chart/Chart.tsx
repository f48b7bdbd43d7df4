import { type RefObject, useEffect, useId, useRef, useState } from "react"
import styles from "./Chart.module.css"

/** A series of a chart. A null value is a gap. */
export interface Series {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

interface ChartProps {
  readonly title: string
  readonly kind: "bar" | "line"
  readonly categories: ReadonlyArray<string>
  /** At most four series, which have different colours and dashes. */
  readonly series: ReadonlyArray<Series>
  /** Formats a value for the axis and for the description of a point. */
  readonly format: (value: number) => string
  /** The values are counts, so the axis has whole numbers only. */
  readonly isCount?: boolean
}

const height = 220
const margin = { top: 12, right: 12, bottom: 28, left: 56 }
const plotHeight = height - margin.top - margin.bottom
/** The width of a label of a category in pixels. Labels without space are omitted. */
const labelWidth = 72
/** The most grid lines above zero. */
const maxLines = 5

/** Returns the distance of the grid lines: 1, 2 or 5 times a power of ten, and for counts at least 1. */
export const axisStep = (largest: number, isCount: boolean): number => {
  const wanted = Math.max(largest, Number.MIN_VALUE) / maxLines
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10) * power
  return isCount ? Math.max(1, step) : step
}

/** Returns the width of an element in pixels, and follows its changes. */
const useWidth = (element: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const observed = element.current
    if (observed === null) return undefined
    const observer = new ResizeObserver(() => setWidth(observed.clientWidth))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}

interface Scale {
  readonly end: number
  /** The distance of the grid lines. */
  readonly step: number
  /** The width of a category. */
  readonly band: number
  readonly x: (index: number) => number
  readonly y: (value: number) => number
}

const scaleOf = (width: number, size: number, { isCount = false, series }: ChartProps): Scale => {
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const step = largest === 0 ? 1 : axisStep(largest, isCount)
  const end = Math.max(1, Math.ceil(largest / step)) * step
  const band = Math.max(1, width - margin.left - margin.right) / Math.max(1, size)
  return {
    end,
    step,
    band,
    x: (index) => margin.left + band * index,
    y: (value) => margin.top + plotHeight * (1 - value / end)
  }
}

type PlotProps = Pick<ChartProps, "categories" | "format" | "series"> & { readonly scale: Scale }

const Axes = ({ categories, format, scale }: PlotProps) => {
  const every = Math.max(1, Math.ceil(labelWidth / scale.band))
  const right = scale.x(categories.length)
  return (
    <g className={styles.axes}>
      {Array.from({ length: Math.round(scale.end / scale.step) + 1 }, (_, index) => {
        const value = scale.step * index
        return (
          <g key={index}>
            <line x1={margin.left} x2={right} y1={scale.y(value)} y2={scale.y(value)} />
            <text x={margin.left - 6} y={scale.y(value) + 4} textAnchor="end">
              {format(value)}
            </text>
          </g>
        )
      })}
      {categories.map((category, index) =>
        index % every === 0 ? (
          <text key={category} x={scale.x(index) + scale.band / 2} y={height - 8} textAnchor="middle">
            {category}
          </text>
        ) : null
      )}
    </g>
  )
}

const titleOf = (name: string, category: string | undefined, value: string): string => `${category}, ${name}: ${value}`

const Bars = ({ categories, format, scale, series }: PlotProps) => {
  const width = (scale.band * 0.8) / series.length
  return series.map(({ name, values }, place) => (
    <g key={name} className={styles[`bar${place}`]}>
      {values.map((value, index) =>
        value === null ? null : (
          <rect
            key={categories[index]}
            x={scale.x(index) + scale.band * 0.1 + width * place}
            y={scale.y(value)}
            width={width}
            height={scale.y(0) - scale.y(value)}
          >
            <title>{titleOf(name, categories[index], format(value))}</title>
          </rect>
        )
      )}
    </g>
  ))
}

const pathOf = (values: ReadonlyArray<number | null>, { band, x, y }: Scale): string =>
  values
    .map((value, index) => {
      if (value === null) return ""
      const isStart = index === 0 || values[index - 1] === null
      return `${isStart ? "M" : "L"}${x(index) + band / 2} ${y(value)}`
    })
    .join("")

const Lines = ({ categories, format, scale, series }: PlotProps) =>
  series.map(({ name, values }, place) => (
    <g key={name} className={styles[`line${place}`]}>
      <path d={pathOf(values, scale)} />
      {values.map((value, index) =>
        value === null ? null : (
          <circle key={categories[index]} cx={scale.x(index) + scale.band / 2} cy={scale.y(value)} r={2.5}>
            <title>{titleOf(name, categories[index], format(value))}</title>
          </circle>
        )
      )}
    </g>
  ))

/**
 * A chart of bars or lines. Show the values in a table next to it: screen readers read the table, and the title of the
 * chart refers to it.
 */
export const Chart = (props: ChartProps) => {
  const { categories, format, kind, series, title } = props
  const id = useId()
  const figure = useRef<HTMLElement>(null)
  const width = useWidth(figure)
  const scale = scaleOf(width, categories.length, props)
  const Plot = kind === "bar" ? Bars : Lines
  return (
    <figure ref={figure} className={styles.chart}>
      <svg role="img" aria-labelledby={id} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <Axes categories={categories} format={format} scale={scale} series={series} />
        <Plot categories={categories} format={format} scale={scale} series={series} />
      </svg>
      <figcaption id={id}>{title}</figcaption>
      <ul className={styles.legend}>
        {series.map(({ name }, place) => (
          <li key={name}>
            <svg width={20} height={10} aria-hidden="true" className={styles[`line${place}`]}>
              <path d="M0 5L20 5" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </figure>
  )
}
