import stylistic from '@stylistic/eslint-plugin'
import { defineConfig, globalIgnores } from 'eslint/config'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

const banned = {
  TSEnumDeclaration: 'enum is not erasable: use a tuple and its type',
  TSModuleDeclaration: 'namespace is not erasable: use a module',
  TSParameterProperty: 'a parameter property is not erasable: write the assignment',
  'ExportDefaultDeclaration > ArrowFunctionExpression': 'name what a file exports',
  'VariableDeclarator > Identifier[name=/^(?!DEFAULT_)[A-Z0-9_]+_(MAX|AT_MOST)(_|$)/]': 'a limit is named MAX_X'
}

export default defineConfig(
  globalIgnores(['dist/', '.bench/', 'ui-dist/', 'node_modules/', '.tap/', '.demo/', '**/*.d.ts', 'lib/client/generated-schema.ts']),
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./test/tsconfig.json', './ui/tsconfig.json'], tsconfigRootDir: import.meta.dirname }
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false } }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A function may be async because its port says so.
      '@typescript-eslint/require-await': 'off',
      // Ports are written as methods and built as closures: nothing here reads `this` of another.
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', ...Object.entries(banned).map(([selector, message]) => ({ selector, message }))]
    }
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // tap itself awaits a subtest that nobody awaits.
      '@typescript-eslint/no-floating-promises': ['error', {
        allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }]
      }],
      // Tests of types put the compiler's guesses through Promise.all.
      '@typescript-eslint/await-thenable': 'off',
      // Bodies of answers are any until a schema has checked them, which is what these tests do.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off'
    }
  },
  {
    files: ['**/*.{js,ts,tsx}'],
    plugins: { '@stylistic': stylistic },
    rules: {
      '@stylistic/arrow-parens': ['error', 'as-needed'],
      '@stylistic/comma-dangle': ['error', 'never'],
      '@stylistic/eol-last': 'error',
      '@stylistic/indent': ['error', 2, { SwitchCase: 1, ignoredNodes: ['TemplateLiteral *', 'ConditionalExpression'] }],
      '@stylistic/max-len': ['error', { code: 140, ignoreRegExpLiterals: true, ignoreUrls: true }],
      '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxEOF: 0 }],
      '@stylistic/no-trailing-spaces': 'error',
      '@stylistic/object-curly-spacing': ['error', 'always'],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'avoidEscape' }],
      '@stylistic/semi': ['error', 'never'],
      'no-console': 'off',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always']
    }
  },
  { files: ['lib/**/*.ts', 'schemas/**/*.ts'], rules: { 'no-console': 'error' } },
  {
    // Strangers choose the text that the product reads, and scripts and tests read what it says: a regular expression must be linear in the
    // length of the text. One that is sticky is tried at one position only.
    files: ['**/*.{js,mjs,cjs,ts,tsx}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true, ignorePartial: false }]
    }
  }
)
