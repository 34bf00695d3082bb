import type { Language } from './sandbox/interpreters.js';

export interface TestProgramParts {
  readonly language: Language;
  /** The file that is run. */
  readonly file: string;
  readonly code: string;
  readonly tests: string;
  /** Printed as the last line once the tests are through. */
  readonly done: string;
}

/** The files of a program that runs tests on code, in one scope, as HumanEval and MBPP expect. */
export function testProgram(parts: TestProgramParts): Readonly<Record<string, string>> {
  return parts.language === 'python' ? python(parts) : javascript(parts);
}

/** The code is not `__main__`, so that a demonstration at its end does not run. */
function python({ file, code, tests, done }: TestProgramParts) {
  const main = `
def _run(path, scope):
    with open(path, encoding='utf-8') as file:
        exec(compile(file.read(), path, 'exec'), scope)

scope = {'__name__': 'solution', '__builtins__': __builtins__}
_run('/src/solution.py', scope)
_run('/src/tests.py', scope)
print()
print('${done}')
`;
  return { [file]: main, 'solution.py': code, 'tests.py': tests };
}

function javascript({ file, code, tests, done }: TestProgramParts) {
  return { [file]: `${code}\n;\n${tests}\n;\nconsole.log('\\n${done}');\n` };
}
