/** The rail of the shell: the links to the pages, and who is signed in. Tests: `packages/console/test`. */
import { Link, useLocation } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import type { Operation } from "../app/PermittedOperations.ts"
import { useSignOut } from "./SignOut.ts"
import { useUserNames } from "../app/Users.ts"
import { Icon, type IconName } from "../design/Icon.tsx"
import navigation from "../design/Navigation.module.css"
import { chooseTheme, themes, useTheme } from "../design/Theme.ts"
import { text } from "../text/Shared.ts"
import styles from "./Rail.module.css"

const Confirm = lazy(() => import("../dialog/Confirm.tsx").then((module) => ({ default: module.Confirm })))

const pages = [
  "inbox",
  "leads",
  "tasks",
  "contacts",
  "calls",
  "search",
  "decisions",
  "rules",
  "sequences",
  "reports",
  "settings"
] as const satisfies ReadonlyArray<IconName>

/** The operations that some pages need. The rail hides these pages from people who may not perform them. */
const neededBy: Partial<Readonly<Record<IconName, Operation>>> = {
  rules: "config.get",
  sequences: "sequences.list",
  reports: "reports.get"
}

/** The choice between the colours of the system, light and dark ones. */
const ThemeSelect = () => {
  const theme = useTheme()
  const choose = (value: string): void => chooseTheme(themes.find((each) => each === value) ?? "system")
  return (
    <select aria-label={text.shell.theme} value={theme} onChange={(event) => choose(event.target.value)}>
      {themes.map((each) => (
        <option key={each} value={each}>
          {text.shell.themes[each]}
        </option>
      ))}
    </select>
  )
}

/** Asks before a sign-out after which the person needs a new link. */
const SignOutButton = () => {
  const [asks, setAsks] = useState(false)
  const { isFromLink } = useConnection()
  const signOut = useSignOut()
  return (
    <>
      <button type="button" onClick={isFromLink ? () => setAsks(true) : signOut}>
        {text.shell.signOut}
      </button>
      {asks ? (
        <Suspense>
          <Confirm
            title={text.shell.signOutTitle}
            message={text.shell.signOutNote}
            action={text.shell.signOut}
            onConfirm={signOut}
            onClose={() => setAsks(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Shows the link of the current page where the rail scrolls sideways. */
const useShowCurrent = () => {
  const rail = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (path !== "")
      rail.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [path])
  return rail
}

export const Rail = ({ onPalette }: { readonly onPalette: () => void }) => {
  const { permitted, tenantId, userId } = useConnection()
  const names = useUserNames()
  const shown = pages.filter((page) => neededBy[page] === undefined || permitted.has(neededBy[page]))
  return (
    <nav ref={useShowCurrent()} className={`${navigation.rail} ${styles.rail}`} aria-label={text.shell.main}>
      <p className={styles.brand}>
        <strong>{text.product}</strong>
        <span className={styles.muted}>{tenantId}</span>
      </p>
      {shown.map((page) => (
        <Link key={page} to={`/${page}`} className={`${navigation.link} ${styles.link}`}>
          <Icon name={page} />
          {text.shell[page]}
        </Link>
      ))}
      <div className={styles.foot}>
        <span className={styles.person}>{userId === null ? text.shell.noUser : (names.get(userId) ?? "")}</span>
        <ThemeSelect />
        <button type="button" onClick={onPalette}>
          {text.shell.commands}
        </button>
        <SignOutButton />
      </div>
    </nav>
  )
}
