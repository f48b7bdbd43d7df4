import { useVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react"
import { Arrow } from "./Arrow.tsx"
import styles from "./Table.module.css"

/** Longer tables keep only the visible rows in the document. */
const maxPlainRows = 100
/** The expected height of a row in pixels. Visible rows are measured. */
const rowHeight = 41
/** The next page is read when fewer rows than this are left. */
const readAhead = 30

/** A column of a table. */
export interface Column<Row, Sort extends string = string> {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** The order that a click on the header selects first. Without it, the header is not a button. */
  readonly sort?: Sort
  /** The opposite order, which a second click selects. */
  readonly reverse?: Sort
  /** The direction of `sort`. Without it, a minus sign in front of an order means descending, as in the API. */
  readonly direction?: "ascending" | "descending"
  readonly isNumeric?: boolean
  /** Narrow windows hide the column. */
  readonly isDetail?: boolean
}

interface TableProps<Row, Sort extends string> {
  /** The accessible name of the table. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row, Sort>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  readonly hasMore?: boolean
  readonly onMore?: () => unknown
}

const classOf = <Row,>({ isDetail = false, isNumeric = false }: Column<Row>): string =>
  [isDetail ? styles.detail : "", isNumeric ? styles.number : ""].join(" ").trim()

interface HeaderProps<Row, Sort extends string> {
  readonly column: Column<Row, Sort>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

const directionOf = (sort: string) => (sort.startsWith("-") ? "descending" : "ascending")

const Header = <Row, Sort extends string>({ column, onSort, sort }: HeaderProps<Row, Sort>) => {
  const { header, reverse, sort: first } = column
  const isSorted = sort !== undefined && (sort === first || sort === reverse)
  const direction = isSorted ? (column.direction ?? directionOf(sort)) : undefined
  return (
    <th scope="col" className={classOf(column)} aria-sort={direction}>
      {first === undefined || onSort === undefined ? (
        header
      ) : (
        <button
          type="button"
          className={styles.sort}
          onClick={() => onSort(sort === first ? (reverse ?? first) : first)}
        >
          {header}
          {isSorted ? <Arrow to={direction === "ascending" ? "up" : "down"} /> : null}
        </button>
      )}
    </th>
  )
}

/** Takes the space of the rows that are not in the document. */
const Gap = ({ height }: { readonly height: number }) =>
  height <= 0 ? null : <tr aria-hidden="true" style={{ blockSize: height }} />

/** Returns the positions of the rows in the document, and the heights of the gaps around them. */
const useVisibleRows = (size: number, scroller: RefObject<HTMLDivElement | null>) => {
  const isVirtual = size > maxPlainRows
  const virtual = useVirtualizer({
    count: size,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10
  })
  const items = virtual.getVirtualItems()
  if (!isVirtual) return { indexes: Array.from({ length: size }, (_, index) => index), before: 0, after: 0 }
  return {
    indexes: items.map((item) => item.index),
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement
  }
}

/** The elements that keys reach, in cells and headers. */
const controls = "a[href], button, input, select, textarea"

/**
 * Returns whether the table scrolls and has no control, so that keys reach its hidden part only if the scroller itself
 * takes the focus (WCAG 2.1.1).
 */
const useNeedsFocus = (scroller: RefObject<HTMLDivElement | null>): boolean => {
  const [needsFocus, setNeedsFocus] = useState(false)
  useEffect(() => {
    const box = scroller.current
    const table = box?.firstElementChild
    if (box === null || table === null || table === undefined) return
    const observer = new ResizeObserver(() => {
      const isScrolling = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
      setNeedsFocus(isScrolling && box.querySelector(controls) === null)
    })
    observer.observe(box)
    observer.observe(table)
    return () => observer.disconnect()
  }, [scroller])
  return needsFocus
}

/** A table whose headers sort it. The next page is read before the person reaches the last row. */
export const Table = <Row, Sort extends string = string>(props: TableProps<Row, Sort>) => {
  const { columns, hasMore = false, keyOf, label, onMore, onSort, rows, sort } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { after, before, indexes, measure } = useVisibleRows(rows.length, scroller)
  const focus = useNeedsFocus(scroller) ? { role: "group", "aria-label": label, tabIndex: 0 } : {}
  const last = indexes.at(-1) ?? 0
  const readMore = useEffectEvent(() => onMore?.())
  useEffect(() => {
    if (hasMore && last >= rows.length - readAhead) readMore()
  }, [hasMore, last, rows.length])
  return (
    <div ref={scroller} className={styles.scroller} {...focus}>
      <table className={styles.table} aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Header key={column.header} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {indexes.map((index) => {
            const row = rows[index]
            return row === undefined ? null : (
              <tr key={keyOf(row)} ref={measure} data-index={index} aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <td key={column.header} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  )
}
