module.exports = {
  testMatch: ['**/*.test.js', '**/*.test.mjs', '**/*.spec.ts'],
  transform: { '\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
};
