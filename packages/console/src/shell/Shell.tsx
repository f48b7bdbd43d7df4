import { Outlet, useRouter } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useMemo, useState } from "react"
import { dismissFailures, Notices, useLatestUndo } from "../component/Notices.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import navigation from "../design/Navigation.module.css"
import { chooseTheme, themes } from "../design/Theme.ts"
import { Rail } from "./Rail.tsx"
import { text } from "../text/Shared.ts"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useKeys } from "../app/Keys.ts"
import { useFollowEvents, useLiveState } from "../app/Live.ts"
import { useRenewal } from "../app/Renewal.ts"
import { useSignOut } from "./SignOut.ts"
import styles from "./Shell.module.css"

const ShellPalette = lazy(() => import("./ShellPalette.tsx").then((module) => ({ default: module.ShellPalette })))

const KeyHelp = lazy(() => import("./KeyHelp.tsx").then((module) => ({ default: module.KeyHelp })))

type Opened = "palette" | "keys" | null

const none: ReadonlyArray<Command> = []

/** Offers to undo the latest action while a notice offers it. */
const useUndoCommand = (): void => {
  const undo = useLatestUndo()
  useOfferedCommands(
    useMemo(() => (undo === null ? none : [{ label: text.shell.undo, hint: "z", pick: undo }]), [undo])
  )
}

/** Removes the failures of a page when the person opens another one. */
const useFailuresOfPage = (): void => {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
        if (pathChanged) dismissFailures()
      }),
    [router]
  )
}

/** Binds the keys of the shell and returns its commands. */
const useShellCommands = (open: (opened: Opened) => void, signOut: () => void): ReadonlyArray<Command> => {
  useKeys(
    useMemo(() => {
      const help = (): void => open("keys")
      // On some keyboards, the question mark needs no Shift.
      return { "mod+k": () => open("palette"), "?": help, "shift+?": help }
    }, [open])
  )
  return useMemo(
    () => [
      { label: text.keys.palette, hint: "mod+k", pick: () => open("palette") },
      { label: text.keys.open, hint: "?", pick: () => open("keys") },
      ...themes.map((theme) => ({
        label: text.shell.toTheme(text.shell.themes[theme]),
        pick: () => chooseTheme(theme)
      })),
      { label: text.shell.signOut, pick: signOut }
    ],
    [open, signOut]
  )
}

/** The frame of every page after the sign-in: the rail, the palette and the notices. */
export const Shell = () => {
  const [opened, setOpened] = useState<Opened>(null)
  const isInterrupted = useLiveState() === "interrupted"
  useFollowEvents()
  useUndoCommand()
  useFailuresOfPage()
  useRenewal()
  const signOut = useSignOut()
  const shellCommands = useShellCommands(setOpened, signOut)
  const close = (): void => setOpened(null)
  return (
    <div className={`${navigation.frame} ${styles.shell}`}>
      <a className={styles.skip} href="#content">
        {text.shell.skip}
      </a>
      <Rail onPalette={() => setOpened("palette")} />
      <div id="content" className={styles.content} tabIndex={-1}>
        {isInterrupted ? (
          <p className={styles.interrupted} role="status">
            {text.shell.reconnecting}
          </p>
        ) : null}
        <Notices />
        <div className={styles.page}>
          <Outlet />
        </div>
      </div>
      <Suspense fallback={opened === "palette" ? <TypedAhead onClose={close} /> : null}>
        {opened === "palette" ? <ShellPalette commands={shellCommands} onClose={close} /> : null}
        {opened === "keys" ? <KeyHelp commands={shellCommands} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
