import { Link, Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { Notices } from "../component/Notices.tsx"
import { text } from "../text/Shared.ts"
import { useCommands } from "./Commands.ts"
import { useKeys } from "./Keys.ts"
import { useFollowEvents, useLiveState } from "./Live.ts"
import { useRenewal } from "./Renewal.ts"
import { useSignOut } from "./SignOut.ts"
import styles from "./Shell.module.css"

const Palette = lazy(() => import("../component/Palette.tsx").then((module) => ({ default: module.Palette })))

/** The pages of the rail. */
const pages = [
  ["/inbox", text.shell.inbox],
  ["/settings", text.shell.settings]
] as const

/** The frame of every page after the sign-in: the rail, the palette and the notices. */
export const Shell = () => {
  const [isOpen, setOpen] = useState(false)
  const commands = useCommands()
  const signOut = useSignOut()
  const isInterrupted = useLiveState() === "interrupted"
  useFollowEvents()
  useRenewal()
  useKeys(useMemo(() => ({ "mod+k": () => setOpen(true) }), []))
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {text.shell.skip}
      </a>
      <nav className={styles.rail} aria-label={text.shell.main}>
        <strong className={styles.brand}>{text.product}</strong>
        {pages.map(([to, name]) => (
          <Link key={to} to={to} className={styles.link}>
            {name}
          </Link>
        ))}
        <button type="button" onClick={() => setOpen(true)}>
          {text.shell.commands}
        </button>
        <button type="button" onClick={signOut}>
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
          <Palette
            title={text.palette.title}
            choices={[...commands, { label: text.shell.signOut, pick: signOut }]}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
      <Notices />
    </div>
  )
}
