import { AccessModule } from '@assurance/access/write/access.module';
import { CoreModule } from '@assurance/access/write/core.module';
import { EnvironmentStatesModule } from '@assurance/environments/write/environment-states.module';
import { Module } from '@nestjs/common';
import { MakeOrganization } from './create-organization';
import { EraseOrganization } from './erase-organization';
import { JoinRepositories } from './join-repositories';
import { MoveBlobs } from './move-blobs';
import { RebuildAggregateStates } from './rebuild-states';
import { RemoveUser } from './remove-user';
import { ResealSecrets } from './reseal-secrets';
import { ListStoredBytes } from './stored-bytes';
import { Verify } from './verify';

/** Operations for operators. */
@Module({
  imports: [CoreModule, EnvironmentStatesModule, AccessModule],
  providers: [
    MakeOrganization,
    EraseOrganization,
    RemoveUser,
    RebuildAggregateStates,
    ResealSecrets,
    ListStoredBytes,
    JoinRepositories,
    MoveBlobs,
    Verify,
  ],
})
export class OperationsModule {}
