import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { useEffect, useEffectEvent } from "react"
import { Problem } from "../component/Problem.tsx"
import { text } from "../text/Shared.ts"
import { useLiveState } from "./Live.ts"
import { problemText } from "./Problem.ts"

/** The files of a page cannot be loaded, because the server cannot be reached. */
class PageUnreachable extends Error {}

/**
 * Tells an outage from a new version of the console, whose files have other names. For a new version, the router loads the
 * document again. During an outage this would replace the console by an error page of the browser.
 */
export const explainMissingFile = async (error: unknown): Promise<never> => {
  try {
    await fetch(location.origin, { method: "HEAD", cache: "no-store" })
  } catch {
    throw new PageUnreachable()
  }
  throw error
}

/** A page that failed to load or to render. It is tried again when the server can be reached again. */
export const PageFailure = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  const isMissing = error instanceof PageUnreachable
  const live = useLiveState()
  const retry = (): void => void router.invalidate()
  const recover = useEffectEvent(() => {
    if (isMissing) retry()
  })
  useEffect(() => {
    if (live === "live") recover()
  }, [live])
  return <Problem message={isMissing ? text.problem.offline : problemText(error)} onRetry={retry} />
}
