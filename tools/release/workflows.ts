// Checks the workflows of GitHub with actionlint, which Go runs, and zizmor, which pip installs.
//   npm run check:workflows
import { join } from 'node:path';
import { pythonTools } from '../ci/python.ts';
import { must } from '../common/command.ts';
import { root } from '../common/root.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const ZIZMOR = 'zizmor==1.32.0';

const zizmor = join(pythonTools(ZIZMOR, '--only-binary', ':all:', ZIZMOR), 'zizmor');
must('go', ['run', ACTIONLINT], { cwd: root });
must(zizmor, ['--offline', '--config', '.github/zizmor.yml', '.github/workflows'], { cwd: root });
console.log('actionlint and zizmor find nothing');
