import { isLeadloomError } from "@leadloom/client"
import { problemText } from "../app/Problem.ts"
import blocks from "../design/Blocks.module.css"

/** Why the server rejected the rules, with the path of each invalid part. */
export const Rejection = ({ error }: { readonly error: Error }) => {
  const issues = isLeadloomError(error, "BAD_REQUEST") && Array.isArray(error.details) ? error.details : []
  return (
    <div role="alert" className={blocks.error}>
      <p>{problemText(error)}</p>
      <ul className={blocks.list}>
        {issues.map(({ message, path }: { readonly path: string; readonly message: string }) => (
          <li key={path}>
            {message} <code>{path}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
