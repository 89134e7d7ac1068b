// Checks the workflows of GitHub with actionlint, which Go runs, and zizmor, which pip installs.
//   npm run check:workflows
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, must } from '../common/command.ts';
import { root } from '../common/root.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const ZIZMOR = 'zizmor==1.32.0';
const venv = join(root, '.cache', ZIZMOR.replace('==', '-'));

try {
  const zizmor = join(venv, 'bin/zizmor');
  if (!existsSync(zizmor)) {
    must('python3', ['-m', 'venv', venv]);
    must(join(venv, 'bin/pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--only-binary',
      ':all:',
      ZIZMOR,
    ]);
  }
  must('go', ['run', ACTIONLINT], { cwd: root });
  must(zizmor, ['--offline', '--config', '.github/zizmor.yml', '.github/workflows'], { cwd: root });
  console.log('actionlint and zizmor find nothing');
} catch (fault) {
  console.error(messageOf(fault));
  process.exitCode = 1;
}
