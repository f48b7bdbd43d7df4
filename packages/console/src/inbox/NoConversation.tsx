import { inboxText } from "../text/Inbox.ts"
import styles from "./InboxPage.module.css"

/** The place of the conversation before the person chooses one. */
export const NoConversation = () => <p className={styles.empty}>{inboxText.choose}</p>
