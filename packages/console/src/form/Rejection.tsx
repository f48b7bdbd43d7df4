import { problemText } from "../app/Problem.ts"
import { issuesOf } from "../app/RejectedFields.ts"
import blocks from "../design/Blocks.module.css"

/** Why the server rejected the rules, with the path of each invalid part. */
export const Rejection = ({ error }: { readonly error: Error }) => {
  return (
    <div role="alert" className={blocks.error}>
      <p>{problemText(error)}</p>
      <ul className={blocks.list}>
        {issuesOf(error).map(({ message, path }) => (
          <li key={path}>
            {message} <code>{path}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
