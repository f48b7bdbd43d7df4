import { type KeyboardEvent, type ReactNode, useId, useRef } from "react"
import styles from "./Tabs.module.css"

interface TabsProps<Id extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string
  readonly tabs: ReadonlyArray<readonly [id: Id, name: string]>
  readonly selected: Id
  readonly onSelect: (id: Id) => void
  /** The content of the selected tab. */
  readonly children: ReactNode
}

const stepOf = (key: string): number => Number(key === "ArrowRight") - Number(key === "ArrowLeft")

/** Tabs with one panel. Left and right select the tab beside, as the ARIA practices describe. */
export const Tabs = <Id extends string>({ children, label, onSelect, selected, tabs }: TabsProps<Id>) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = stepOf(event.key)
    if (step === 0) return
    const at = (tabs.findIndex(([tab]) => tab === selected) + step + tabs.length) % tabs.length
    const next = tabs[at]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next[0])
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[at]?.focus()
  }
  return (
    <>
      <div ref={list} className={styles.list} role="tablist" aria-label={label}>
        {tabs.map(([tab, name]) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            className={styles.tab}
            aria-selected={tab === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => onSelect(tab)}
            onKeyDown={move}
          >
            {name}
          </button>
        ))}
      </div>
      {/* Focusable, so that the keyboard scrolls a panel without controls. */}
      <div
        className={styles.panel}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        tabIndex={0}
      >
        {children}
      </div>
    </>
  )
}
