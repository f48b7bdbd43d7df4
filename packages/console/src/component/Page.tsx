import type { ReactNode } from "react"
import { text } from "../text/Shared.ts"
import styles from "./Page.module.css"

interface PageProps {
  readonly title: string
  /** Controls beside the title. */
  readonly actions?: ReactNode
  /** Filters below the title. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** The layout of a page: title, filters and a content that scrolls by itself. */
export const Page = ({ actions, children, title, tools }: PageProps) => (
  <main className={styles.page}>
    <title>{text.pageTitle(title)}</title>
    <header className={styles.head}>
      <h1>{title}</h1>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </header>
    {tools === undefined ? null : <div className={styles.tools}>{tools}</div>}
    {/* Focusable, so that the keyboard scrolls a page without controls. */}
    <section className={styles.body} aria-label={title} tabIndex={0}>
      {children}
    </section>
  </main>
)

interface RowProps {
  /** The accessible name, if the controls are a group. */
  readonly label?: string
  readonly children: ReactNode
}

/** Controls beside each other. */
export const Row = ({ children, label }: RowProps) => (
  <div className={styles.row} role={label === undefined ? undefined : "group"} aria-label={label}>
    {children}
  </div>
)

/** A text that stands for an empty list. */
export const Empty = ({ children }: { readonly children: ReactNode }) => <div className={styles.empty}>{children}</div>

/** A part of a page with a heading. */
export const Section = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
