import { BaseSequencer, type TestSpecification } from "vitest/node"
import { longest } from "./longest.ts"

const rank = ({ moduleId }: TestSpecification): number => {
  const index = longest.findIndex((file) => moduleId.endsWith(file))
  return index === -1 ? longest.length : index
}

/** Orders test files by project and, within a project, from slowest to fastest. */
export class LongestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const order = (file: TestSpecification): number =>
      (file.project.name === "all" ? 0 : longest.length + 1) + rank(file)
    return Promise.resolve(files.toSorted((one, other) => order(one) - order(other)))
  }
}
