import type { Presence } from "@leadloom/client"
import { composerText } from "../text/Composer.ts"
import styles from "./Composer.module.css"
import { useOthers } from "./Presence.ts"

interface OthersProps {
  readonly contactId: string
  readonly states: ReadonlyArray<Presence["state"]>
}

/** The colleagues who are in the conversation and in one of the given states. */
export const Others = ({ contactId, states }: OthersProps) => {
  const shown = useOthers(contactId).filter(({ state }) => states.includes(state))
  if (shown.length === 0) return null
  return (
    <span className={styles.others}>
      {shown.map(({ name, state }) => composerText.presence[state](name)).join(", ")}
    </span>
  )
}
