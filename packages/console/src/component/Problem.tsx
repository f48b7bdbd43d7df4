import { text } from "../text/Shared.ts"
import styles from "./Problem.module.css"

interface ProblemProps {
  readonly message: string
  readonly onRetry: () => void
}

/** The state of a page or list whose request failed. */
export const Problem = ({ message, onRetry }: ProblemProps) => (
  <div className={styles.problem} role="alert">
    <h2>{text.problem.title}</h2>
    <p>{message}</p>
    <button type="button" onClick={onRetry}>
      {text.problem.retry}
    </button>
  </div>
)

/** The state of a list whose next page could not be read. The rows that were read stay. */
export const MoreProblem = ({ message, onRetry }: ProblemProps) => (
  <div className={styles.more} role="alert">
    <p>{text.problem.more(message)}</p>
    <button type="button" onClick={onRetry}>
      {text.problem.retry}
    </button>
  </div>
)

/** The state of a page or list before its response arrives. */
export const Loading = () => (
  <p className={styles.loading} role="status">
    {text.problem.loading}
  </p>
)
