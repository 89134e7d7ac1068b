{{- define "reporter.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "reporter.labels" -}}
app.kubernetes.io/name: assurance-reporter
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "reporter.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Stops the installation with a sentence that names the value to change. */}}
{{- define "reporter.check" -}}
{{- if not .Values.url }}{{ fail "url is required: the base URL of the service" }}{{ end -}}
{{- if not .Values.organization }}{{ fail "organization is required: where the reports go" }}{{ end -}}
{{- if not (or .Values.environments .Values.admission.enabled) }}{{ fail "environments is required: what to report" }}{{ end -}}
{{- with .Values.admission -}}
{{- if and .enabled (not (and .environment .tlsSecret .caBundle)) }}{{ fail "admission.environment, admission.tlsSecret and admission.caBundle are required with admission.enabled" }}{{ end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.apiServers) }}{{ fail "admission.networkPolicy.apiServers is required with admission.networkPolicy.enabled: the addresses of API servers" }}{{ end -}}
{{- if and .clientNames (not .clientCertificates.name) }}{{ fail "admission.clientNames needs admission.clientCertificates: the authority of these certificates" }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Namespaces that filters name, as JSON; null if a filter needs the list of all. */}}
{{- define "reporter.namespaces" -}}
{{- $names := list -}}
{{- $all := false -}}
{{- range .Values.environments -}}
{{- if eq .kind "K8S" -}}
{{- $filter := .namespaces | default dict -}}
{{- if or (not $filter.include) $filter.includeRegex $filter.exclude $filter.excludeRegex }}{{ $all = true }}{{ else }}{{ $names = concat $names $filter.include }}{{ end -}}
{{- end -}}
{{- end -}}
{{- ternary "null" (toJson (uniq $names)) $all -}}
{{- end }}

{{/* Labels by which the pods of one component are selected. Argument: {root, component}. */}}
{{- define "reporter.selector" -}}
app.kubernetes.io/name: assurance-reporter
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* The pod of one component. Argument: {root, args, ports}; `admission` has the values of the webhook. */}}
{{- define "reporter.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- /* OpenShift gives each namespace users of its own and refuses others. */}}
  {{- if and .root.Values.user (not (.root.Capabilities.APIVersions.Has "security.openshift.io/v1")) }}
  runAsUser: {{ .root.Values.user }}
  runAsGroup: {{ .root.Values.user }}
  # Tokens and keys are readable for this group alone.
  fsGroup: {{ .root.Values.user }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: reporter
    image: {{ include "reporter.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    command: [node, apps/reporter/dist/main.js]
    args: {{ toJson .args }}
    {{- with .root.Values.envFrom }}
    envFrom:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    ports:
      {{- toYaml .ports | nindent 6 }}
    {{- if .admission }}
    livenessProbe:
      httpGet: { path: /live, port: https, scheme: HTTPS }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /ready, port: https, scheme: HTTPS }
      periodSeconds: 5
      timeoutSeconds: 3
    {{- else }}
    livenessProbe:
      httpGet: { path: /live, port: metrics }
      periodSeconds: 30
      timeoutSeconds: 5
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources:
      {{- toYaml .root.Values.resources | nindent 6 }}
    volumeMounts:
      - { name: config, mountPath: /etc/assurance-reporter, readOnly: true }
      - { name: key, mountPath: /run/secrets/assurance-reporter, readOnly: true }
      {{- if .root.Values.caCertificates.name }}
      - { name: ca, mountPath: /etc/assurance-reporter-ca, readOnly: true }
      {{- end }}
      {{- with .admission }}
      - { name: tls, mountPath: /run/secrets/assurance-admission, readOnly: true }
      {{- if .clientCertificates.name }}
      - { name: clients, mountPath: /etc/assurance-admission-clients, readOnly: true }
      {{- end }}
      {{- end }}
volumes:
  - { name: config, configMap: { name: {{ include "reporter.name" .root }} } }
  - name: key
    secret: { secretName: {{ .root.Values.apiKey.name | quote }}, items: [{ key: {{ .root.Values.apiKey.key | quote }}, path: key }] }
  {{- if .root.Values.caCertificates.name }}
  - name: ca
    configMap: { name: {{ .root.Values.caCertificates.name | quote }}, items: [{ key: {{ .root.Values.caCertificates.key | quote }}, path: ca.crt }] }
  {{- end }}
  {{- with .admission }}
  - { name: tls, secret: { secretName: {{ .tlsSecret | quote }} } }
  {{- with .clientCertificates }}
  {{- if .name }}
  - name: clients
    configMap: { name: {{ .name | quote }}, items: [{ key: {{ .key | quote }}, path: ca.crt }] }
  {{- end }}
  {{- end }}
  {{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
