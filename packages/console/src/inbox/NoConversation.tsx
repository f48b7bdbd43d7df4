import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import styles from "./InboxPage.module.css"

/** The place of the conversation before the person chooses one. */
export const NoConversation = () => (
  <div className={styles.none}>
    <title>{text.pageTitle(text.shell.inbox)}</title>
    <p>{inboxText.choose}</p>
  </div>
)
