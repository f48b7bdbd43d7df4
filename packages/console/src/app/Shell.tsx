import { Link, Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { Notices } from "../component/Notices.tsx"
import { text } from "../text/Shared.ts"
import { type Command, useCommands } from "./Commands.ts"
import { useConnection } from "./Connection.ts"
import type { Operation } from "./PermittedOperations.ts"
import { useKeys } from "./Keys.ts"
import { useFollowEvents, useLiveState } from "./Live.ts"
import { endSession } from "./Session.ts"
import styles from "./Shell.module.css"

const ShellPalette = lazy(() => import("./ShellPalette.tsx").then((module) => ({ default: module.ShellPalette })))

/** The pages of the rail. */
const pages = [
  ["/inbox", text.shell.inbox],
  ["/leads", text.shell.leads],
  ["/tasks", text.shell.tasks],
  ["/contacts", text.shell.contacts],
  ["/calls", text.shell.calls],
  ["/search", text.shell.search],
  ["/decisions", text.shell.decisions],
  ["/rules", text.shell.rules],
  ["/reports", text.shell.reports]
] as const

/** The operations that some pages need. The rail hides these pages from people who may not perform them. */
const neededBy: Readonly<Record<string, Operation>> = { "/rules": "config.get", "/reports": "reports.get" }

const ownCommands: ReadonlyArray<Command> = [{ label: text.shell.signOut, pick: () => endSession("signed-out") }]

/** The frame of every page after the sign-in: the rail, the palette and the notices. */
export const Shell = () => {
  const [isOpen, setOpen] = useState(false)
  const commands = useCommands()
  const { permitted } = useConnection()
  const shownPages = pages.filter(([to]) => neededBy[to] === undefined || permitted.has(neededBy[to]))
  const isInterrupted = useLiveState() === "interrupted"
  useFollowEvents()
  useKeys(useMemo(() => ({ "mod+k": () => setOpen(true) }), []))
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {text.shell.skip}
      </a>
      <nav className={styles.rail} aria-label={text.shell.main}>
        <strong className={styles.brand}>{text.product}</strong>
        {shownPages.map(([to, name]) => (
          <Link key={to} to={to} className={styles.link}>
            {name}
          </Link>
        ))}
        <button type="button" onClick={() => setOpen(true)}>
          {text.shell.commands}
        </button>
        <button type="button" onClick={() => endSession("signed-out")}>
          {text.shell.signOut}
        </button>
      </nav>
      <div id="content" className={styles.content} tabIndex={-1}>
        {isInterrupted ? (
          <p className={styles.interrupted} role="status">
            {text.shell.reconnecting}
          </p>
        ) : null}
        <div className={styles.page}>
          <Outlet />
        </div>
      </div>
      {isOpen ? (
        <Suspense>
          <ShellPalette commands={[...commands, ...ownCommands]} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
      <Notices />
    </div>
  )
}
